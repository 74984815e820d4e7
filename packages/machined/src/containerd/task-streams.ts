import { constants, openSync, readSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { once } from "node:events";
import { Socket } from "node:net";
import { join } from "node:path";
import { createQueue } from "@talos-ts/base";

/** Input and output of a task through named pipes. Disposing closes and removes them. */
export interface TaskStreams extends AsyncDisposable {
  /** Paths for `tasks.create`. */
  readonly stdin: string;
  readonly stdout: string;
  /** Bytes that the task wrote, until `finish`. A reader that is slow holds up the task. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Writes to the input of the task; waits while it does not read. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the input after what was written. */
  endInput(): void;
  /** Ends the output after what is still in the pipe; called once the task is deleted. */
  finish(): void;
}

export interface TaskStreamsOptions {
  readonly directory: string;
  /** Prefix of the names of the pipes. */
  readonly id: string;
  readonly makeFifo: (path: string, mode: number) => Promise<void>;
}

/** Pieces of output that wait for the reader before the pipe is left alone. */
const maxWaiting = 16;
const pieceBytes = 64 * 1024;

/**
 * Creates the pipes of a task. Both are opened for both directions, as neither end may wait for the other, and without blocking, so
 * that they need no thread.
 */
export async function openTaskStreams({ directory, id, makeFifo }: TaskStreamsOptions): Promise<TaskStreams> {
  await using cleanup = new AsyncDisposableStack();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const open = async (name: string): Promise<readonly [path: string, fd: number]> => {
    const path = join(directory, `${id}-${name}`);
    await makeFifo(path, 0o600);
    cleanup.defer(() => rm(path, { force: true }));
    return [path, openSync(path, constants.O_RDWR | constants.O_NONBLOCK)];
  };
  const [stdin, inputFd] = await open("stdin");
  const input = new Socket({ fd: inputFd, readable: false, writable: true });
  cleanup.defer(() => void input.destroy());
  const [stdout, outputFd] = await open("stdout");
  const source = new Socket({ fd: outputFd, readable: true, writable: false });
  cleanup.defer(() => void source.destroy());
  // A pipe that breaks is the end of the task, which is told by its exit.
  for (const socket of [input, source]) socket.on("error", () => socket.destroy());

  const waiting = cleanup.use(createQueue<Uint8Array>());
  source.on("data", (bytes: Buffer) => {
    waiting.push(bytes);
    if (waiting.size >= maxWaiting) source.pause();
  });
  async function* output(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const bytes of waiting) {
      yield bytes;
      if (waiting.size < maxWaiting) source.resume();
    }
  }

  /** Settles when everything that was written is in the pipe, or never will be. */
  let written = Promise.resolve();
  const owned = cleanup.move();
  return {
    stdin,
    stdout,
    output: output(),
    async write(bytes) {
      if (input.destroyed) return;
      const passed = Promise.withResolvers<void>();
      written = passed.promise;
      if (input.write(bytes, () => passed.resolve())) return;
      await Promise.race([once(input, "drain"), once(input, "close")]);
    },
    endInput: () => void written.then(() => input.destroy()),
    finish() {
      // A closed descriptor may belong to somebody else by now.
      if (!source.destroyed) for (const bytes of readAvailable(outputFd)) waiting.push(bytes);
      waiting.close();
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** What is in the pipe now. */
function* readAvailable(fd: number): Generator<Uint8Array> {
  for (;;) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    try {
      const bytes = readSync(fd, piece);
      if (bytes === 0) return;
      yield piece.subarray(0, bytes);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "EAGAIN") return;
      throw err;
    }
  }
}
