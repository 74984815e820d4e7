import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { describe, it } from "node:test";
import { tarEnd, tarHeader } from "./tar-header.ts";

describe("tarHeader()", () => {
  it("makes names of every length readable", () => {
    const stats = statSync("/proc/self/status");
    const names = [1, 50, 86, 87, 88, 99, 100, 101, 500, 984, 985, 986, 987, 988, 1100].map((length) =>
      "n".repeat(length),
    );
    const headers = names.map((name) => tarHeader({ name, kind: "file", stats, size: 0, link: "" }));
    const listed = execFileSync("tar", ["-tf", "-"], { input: Buffer.concat([...headers, tarEnd]) }).toString();
    assert.deepEqual(listed.split("\n").slice(0, -1), names);
  });
});
