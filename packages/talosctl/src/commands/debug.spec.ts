import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { DebugService } from "@talos-ts/proto/machine/debug";
import type { ImageService } from "@talos-ts/proto/machine/image";
import type { Terminal } from "../terminal/terminal.ts";
import { startFakeNode, type FakeNode } from "../testing/fake-node.ts";
import { runCommand } from "../testing/run-command.ts";

const image: ServiceImpl<typeof ImageService> = {
  async *pull() {
    yield { response: { case: "name", value: "docker.io/library/tool:latest" } };
  },
  async import(requests) {
    for await (const _request of requests);
    return { name: "imported:latest" };
  },
};

/** Repeats what it is told, and ends with the code 3 at the first `x`. */
const echo: ServiceImpl<typeof DebugService> = {
  async *containerRun(requests) {
    for await (const { request } of requests) {
      if (request.case === "spec") {
        const { imageName, args, tty } = request.value;
        yield out(`${imageName} ${args.join(" ")} ${String(tty)}\n`);
      }
      if (request.case === "termResize") yield out(`${String(request.value.width)}x${String(request.value.height)}\n`);
      if (request.case !== "stdinData") continue;
      yield out(`got ${Buffer.from(request.value).toString()}\n`);
      if (Buffer.from(request.value).includes("x")) break;
    }
    yield { resp: { case: "exitCode", value: 3 } };
  },
};

const out = (text: string) => ({ resp: { case: "stdoutData" as const, value: Buffer.from(text) } });

const start = (): Promise<FakeNode> => startFakeNode({ image, debug: echo });

describe("talosctl debug", () => {
  it("connects a terminal to the container, and ends with its exit code", { timeout: 60_000 }, async () => {
    await using node = await start();
    let restored = false;
    const terminal: Terminal = {
      columns: 91,
      rows: 17,
      write: () => undefined,
      onResize: () => ({ [Symbol.dispose]: () => undefined }),
      takeOver(typed) {
        typed(Buffer.from("ab"));
        typed(Buffer.from("x"));
        return { [Symbol.dispose]: () => void (restored = true) };
      },
    };
    const env = { HOME: node.folder, TALOSCONFIG: join(node.folder, "talosconfig") };
    const result = await runCommand(["debug", "tool", "--args", "/bin/sh,-i", "-n", "10.5.0.2"], { env, terminal });
    assert.equal(result.out, "docker.io/library/tool:latest /bin/sh -i true\ngot ab\ngot x\n");
    assert.equal(result.err, "container exited with code 3\n");
    assert.equal(result.code, 3);
    assert.ok(restored);
  });

  it("takes an archive too, and one node only", { timeout: 60_000 }, async () => {
    await using node = await start();
    const archive = join(node.folder, "tool.tar");
    await writeFile(archive, "tar");
    const several = await node.run("debug", archive, "-n", "10.5.0.2,10.5.0.3");
    assert.match(several.err, /not supported with multiple nodes/);
    const terminal: Terminal = {
      columns: 1,
      rows: 1,
      write: () => undefined,
      onResize: () => ({ [Symbol.dispose]: () => undefined }),
      takeOver(typed) {
        typed(Buffer.from("x"));
        return { [Symbol.dispose]: () => undefined };
      },
    };
    const env = { HOME: node.folder, TALOSCONFIG: join(node.folder, "talosconfig") };
    const { out: text } = await runCommand(["debug", archive, "-n", "10.5.0.2"], { env, terminal });
    assert.match(text, /^imported:latest {2}true\n/);
  });
});
