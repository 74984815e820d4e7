import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { describe, it } from "node:test";
import { confirm } from "./confirm.ts";

describe("confirm()", () => {
  const io = { out: () => undefined, err: () => undefined, env: {}, isTerminal: false, columns: 80 };
  const { signal } = new AbortController();
  const confirmation = { question: "sure?", unasked: "talosctl config remove --noconfirm a", signal };
  const typed = (text: string) => Object.assign(Readable.from([text]), { isTTY: true });

  it("takes yes, and nothing else, for yes", async () => {
    const expected = { "y\n": true, "YES\n": true, "n\n": false, "\n": false, "": false };
    for (const [answer, result] of Object.entries(expected)) {
      assert.equal(await confirm({ ...io, input: typed(answer) }, confirmation), result, JSON.stringify(answer));
    }
  });

  it("refuses without an input, and names the command that does not ask", async () => {
    await assert.rejects(confirm(io, confirmation), { code: "cli/cannot-ask", next: confirmation.unasked });
  });

  it("refuses a pipe at once, and reads nothing from it", async () => {
    const pipe = new PassThrough();
    pipe.write("y\n");
    await assert.rejects(confirm({ ...io, input: pipe }, confirmation), { code: "cli/cannot-ask" });
    assert.equal(String(pipe.read()), "y\n");
  });
});
