import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { openTaskStreams, type TaskStreams } from "./task-streams.ts";

const makeFifo = async (path: string): Promise<void> => void (await promisify(execFile)("mkfifo", [path]));

async function start(): Promise<TaskStreams & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "streams-"));
  const streams = await openTaskStreams({ directory, id: "t", makeFifo });
  return {
    ...streams,
    directory,
    async [Symbol.asyncDispose]() {
      await streams[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

describe("openTaskStreams()", () => {
  it("carries output until it is finished, with what was left in the pipe", async () => {
    await using streams = await start();
    await writeFile(streams.stdout, "first ");
    const output = streams.output[Symbol.asyncIterator]();
    assert.equal(String(Buffer.from((await output.next()).value ?? [])), "first ");
    await writeFile(streams.stdout, "last");
    streams.finish();
    assert.equal(String(Buffer.from((await output.next()).value ?? [])), "last");
    assert.equal((await output.next()).done, true);
  });

  it("carries input, and its end", async () => {
    await using streams = await start();
    const reader = await open(streams.stdin, "r");
    await streams.write(Buffer.from("typed"));
    streams.endInput();
    assert.equal(String(await readFile(reader)), "typed");
    await reader.close();
  });

  it("ends the input after what the task has not read yet", async () => {
    await using streams = await start();
    const reader = await open(streams.stdin, "r");
    // More than a pipe takes.
    const writing = streams.write(Buffer.alloc(300_000, "x"));
    streams.endInput();
    assert.equal((await readFile(reader)).length, 300_000);
    await writing;
    await reader.close();
  });

  it("removes the pipes when it is disposed", async () => {
    let paths: readonly string[];
    {
      await using streams = await start();
      paths = [streams.stdin, streams.stdout];
      assert.ok(paths.every((path) => existsSync(path)));
    }
    assert.ok(!paths.some((path) => existsSync(path)));
  });
});
