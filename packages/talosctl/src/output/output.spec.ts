import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createColumns } from "./columns.ts";
import { formatFileMode } from "./file-mode.ts";
import { formatSeconds, parseDuration } from "./go-duration.ts";
import { humanBytes } from "./humanize.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { createProgress } from "./progress.ts";
import { parseSize } from "./size.ts";

describe("createColumns()", () => {
  it("keeps later rows in the columns of earlier ones", () => {
    let out = "";
    const columns = createColumns((text) => void (out += text));
    columns.add(["A", "B"]);
    columns.add(["long", "x"]);
    columns.flush();
    columns.add(["s", ""]);
    columns.flush();
    assert.equal(out, "A      B\nlong   x\ns\n");
  });
});

describe("formatSeconds()", () => {
  it("prints as Go does, rounded to seconds", () => {
    assert.deepEqual([0, 499, 65_000, 3_600_000, 3_725_400].map(formatSeconds), [
      "0s",
      "0s",
      "1m5s",
      "1h0m0s",
      "1h2m5s",
    ]);
  });
});

describe("parseDuration()", () => {
  it("reads what Go reads", () => {
    assert.deepEqual(["0", "1.5s", "1h30m", "250ms"].map(parseDuration), [0, 1500, 5_400_000, 250]);
    for (const text of ["", "5", "1 h", "-1s"]) assert.throws(() => parseDuration(text), { code: "cli/bad-duration" });
  });
});

describe("parseSize()", () => {
  it("reads sizes in any unit, MiB without one", () => {
    assert.deepEqual(["2048", "2GiB", "1.5gb", "512 mb", "x", "1xb"].map(parseSize), [
      2048 * 1024 ** 2,
      2 * 1024 ** 3,
      1.5e9,
      512e6,
      undefined,
      undefined,
    ]);
  });
});

describe("humanBytes()", () => {
  it("has one digit behind the point below ten", () => {
    assert.deepEqual([5, 999, 1500, 82_854_982, 9_999_000_000n].map(humanBytes), [
      "5 B",
      "999 B",
      "1.5 kB",
      "83 MB",
      "10 GB",
    ]);
  });
});

describe("formatFileMode()", () => {
  it("prints modes of Go", () => {
    assert.equal(formatFileMode(0x80000000 + 0o755), "drwxr-xr-x");
    assert.equal(formatFileMode(0x08000000 + 0o777), "Lrwxrwxrwx");
    assert.equal(formatFileMode(0x80000000 + 0x100000 + 0o777), "dtrwxrwxrwx");
    assert.equal(formatFileMode(0o640), "-rw-r-----");
  });
});

describe("createLineSplitter()", () => {
  it("keeps the lines of each node apart, whatever the chunks are", () => {
    const lines: string[] = [];
    const splitter = createLineSplitter((node, line) => void lines.push(`${node}:${line}`));
    const bytes = new TextEncoder().encode("grün\n");
    splitter.add("a", bytes.subarray(0, 3));
    splitter.add("b", bytes);
    splitter.add("a", bytes.subarray(3));
    splitter.add("a", new TextEncoder().encode("rest"));
    splitter.flush();
    assert.deepEqual(lines, ["b:grün", "a:grün", "a:rest"]);
  });
});

describe("createProgress()", () => {
  it("writes one line for each stage when nobody watches", () => {
    let out = "";
    let now = 0;
    const io = { err: (text: string) => void (out += text), isTerminal: false, columns: 80 };
    const progress = createProgress(io, () => now);
    progress({ stage: "build", state: "start" });
    progress({ stage: "build", state: "step", detail: "x", done: 1, total: 2 });
    now = 1500;
    progress({ stage: "build", state: "done" });
    progress({ stage: "pack", state: "cached" });
    assert.equal(out, "build (1.5 s)\npack (cached)\n");
  });
});
