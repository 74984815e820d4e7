import { open } from "node:fs/promises";
import { describeError } from "@talos-ts/base";
import { startClockChild } from "./clock-child.ts";
import { jump, jumpLength, shiftedClockCode } from "./shifted-clock-code.ts";
import { isGone, whileStopped } from "./stopped-process.ts";
import { findVdso, readMemory, readOwnVdso } from "./vdso.ts";

/** Lets single processes of this host see another time of day. */
export interface ClockShifter {
  /** True while a process sees a shifted time; false when it is gone. */
  isShifted(pid: number): Promise<boolean>;
  /** Shifts the time of a process by whole seconds. @returns whether it is done: not when the process is gone, or has no vDSO */
  shift(pid: number, seconds: number): Promise<boolean>;
  /** Gives a process the true time back. @returns whether it had another */
  restore(pid: number): Promise<boolean>;
}

const attempts = 100;
const alignment = 16;

/**
 * Prepares shifting clocks. Processes read the clock through functions of the vDSO, whose page is shared by all, but written to through
 * /proc/<pid>/mem it becomes a copy of that process's own. The first instruction of each function becomes a jump to code in the rest of the last
 * page, which is executable and empty. The code stays when the time is restored: a thread may be in it.
 *
 * @throws when the vDSO lacks a function, or room for the code
 */
export async function createClockShifter(): Promise<ClockShifter> {
  if (process.arch !== "x64")
    throw new Error(`the code that shifts the clock is for x86-64, and this is ${process.arch}`);
  const image = await readOwnVdso();
  /** Patches by their place; each entry of a function belongs to some code. */
  const plan = (seconds: number) => {
    let at = Math.ceil(image.end / alignment) * alignment;
    return Object.entries(shiftedClockCode(seconds)).map(([name, code]) => {
      const found = image.functions.get(name);
      if (found === undefined || found.size < jumpLength) throw new Error(`the vDSO has no ${name}`);
      const place = at;
      at += Math.ceil(code.length / alignment) * alignment;
      return { entry: found.offset, place, code, jump: jump(found.offset, place) };
    });
  };
  const patches = plan(0);
  const room = patches.map(({ place, code }) => image.bytes.subarray(place, place + code.length));
  if (room.some((bytes, index) => bytes.length !== patches[index]?.code.length || bytes.some((byte) => byte !== 0))) {
    throw new Error("the last page of the vDSO has no room for code");
  }

  /** Whether each entry of a process is the original or jumps, unless it is gone. @throws when it is neither */
  const entriesOf = async (pid: number): Promise<{ readonly vdso: number; readonly shifted: boolean } | undefined> => {
    const vdso = await findVdso(pid);
    if (vdso === undefined) return undefined;
    const found = await readMemory(pid, vdso, image.bytes.length);
    // The memory of one that ends is gone before its number.
    if (found.length < image.bytes.length) return undefined;
    const has = (of: (patch: (typeof patches)[number]) => Buffer): boolean =>
      patches.every((patch) => found.subarray(patch.entry, patch.entry + jumpLength).equals(of(patch)));
    const original = has(({ entry }) => image.bytes.subarray(entry, entry + jumpLength));
    if (!original && !has((patch) => patch.jump)) throw new Error(`process ${String(pid)} has another vDSO`);
    return { vdso, shifted: !original };
  };

  /** Writes while no thread is between the first and the last byte of an entry. */
  const write = async (pid: number, vdso: number, pieces: readonly Piece[]): Promise<void> => {
    const entries = patches.map(({ entry }) => vdso + entry);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const done = await whileStopped(pid, async (addresses) => {
        if (addresses.some((at) => entries.some((entry) => at > entry && at < entry + jumpLength))) return false;
        await writeMemory(pid, vdso, pieces);
        return true;
      });
      if (done) return;
    }
    throw new Error(`a thread of process ${String(pid)} is always at the start of a function of the vDSO`);
  };

  const unlessGone = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (err) {
      if (isGone(err)) return otherwise;
      throw err;
    }
  };

  return {
    isShifted: (pid) => unlessGone(async () => (await entriesOf(pid))?.shifted ?? false, false),
    shift: (pid, seconds) =>
      unlessGone(async () => {
        const found = await entriesOf(pid);
        if (found === undefined) return false;
        const wanted = plan(seconds);
        const code = wanted.map((patch) => ({ at: patch.place, bytes: patch.code }));
        const jumps = wanted.map((patch) => ({ at: patch.entry, bytes: patch.jump }));
        await write(pid, found.vdso, [...code, ...jumps]);
        return true;
      }, false),
    restore: (pid) =>
      unlessGone(async () => {
        const found = await entriesOf(pid);
        if (found?.shifted !== true) return false;
        const originals = patches.map(({ entry }) => ({
          at: entry,
          bytes: image.bytes.subarray(entry, entry + jumpLength),
        }));
        await write(pid, found.vdso, originals);
        return true;
      }, false),
  };
}

/** Tells why this host cannot shift the clock of a process; `undefined` when it can, which is tried with a process of its own. */
export async function findShiftProblem(): Promise<string | undefined> {
  const seconds = 600;
  try {
    const shifter = await createClockShifter();
    await using child = await startClockChild();
    const told = async (): Promise<number> => (await child.clocks())["Date"] ?? 0;
    const before = await told();
    const done = await shifter.shift(child.pid, seconds);
    if (!done || (await told()) < before + seconds) return "the kernel does not let the vDSO of a process be changed";
    return undefined;
  } catch (err) {
    return describeError(err);
  }
}

interface Piece {
  /** Place in the vDSO. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Writes through /proc/<pid>/mem, which the kernel may be configured to refuse (proc_mem.force_override). @throws unless all of it is there then */
async function writeMemory(pid: number, vdso: number, pieces: readonly Piece[]): Promise<void> {
  await using memory = await open(`/proc/${String(pid)}/mem`, "r+");
  for (const { at, bytes } of pieces) {
    await memory.write(bytes, 0, bytes.length, vdso + at);
    const written = await memory.read(Buffer.alloc(bytes.length), 0, bytes.length, vdso + at);
    if (!written.buffer.equals(bytes)) throw new Error(`the vDSO of process ${String(pid)} is not as it was written`);
  }
}
