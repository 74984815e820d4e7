import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "./progress.ts";

function recorded(isTerminal: boolean): {
  readonly lines: string[];
  readonly progress: ReturnType<typeof createProgress>;
  readonly pass: (ms: number) => void;
} {
  const lines: string[] = [];
  let time = 0;
  const io = { err: (text: string) => void lines.push(text), isTerminal, columns: 60 };
  return { lines, progress: createProgress(io, () => time), pass: (ms) => void (time += ms) };
}

test("a log has a line for each stage that ends", () => {
  const { lines, progress, pass } = recorded(false);
  progress({ stage: "build x", state: "start" });
  pass(1500);
  progress({ stage: "build x", state: "step", done: 1, total: 2 });
  progress({ stage: "build x", state: "done", detail: "1 MB" });
  progress({ stage: "build y", state: "cached" });
  assert.deepEqual(lines, ["build x: 1 MB (1.5 s)\n", "build y (cached)\n"]);
});

test("a log says every half minute how far a long stage is", () => {
  const { lines, progress, pass } = recorded(false);
  progress({ stage: "build x", state: "start" });
  for (let done = 1; done <= 70; done += 1) {
    pass(1000);
    progress({ stage: "build x", state: "step", done, total: 100, detail: "packages" });
  }
  assert.deepEqual(lines, ["build x 30/100: packages …\n", "build x 60/100: packages …\n"]);
});

test("a terminal shows the step in one line that is replaced", () => {
  const { lines, progress } = recorded(true);
  progress({ stage: "build x", state: "step", done: 1, total: 2 });
  progress({ stage: "build x", state: "done" });
  assert.deepEqual(lines, ["build x 1/2 …", "\r\u001b[K", "build x (0.0 s)\n"]);
});
