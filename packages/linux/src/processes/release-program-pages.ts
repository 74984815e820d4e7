import { readFileSync } from "node:fs";
import { libc } from "../ffi/libc.ts";

const MADV_DONTNEED = 4;

const eachMapping = /^(?=[0-9a-f]+-[0-9a-f]+ )/m;
const readOnlyFile = /^([0-9a-f]+)-([0-9a-f]+) r-.p \S+ \S+ [1-9]\d* +\/.*$/m;
/** Pages that differ from the file, such as those the dynamic linker wrote to before it made them read-only: they must stay. */
const unchanged = /^Anonymous: +0 kB$/m;

/**
 * Lets go of the pages of the program and its libraries.
 *
 * Most of the pages of Node.js that a process has mapped were read once, while it started. The kernel brings back those
 * that are needed again, from its cache of the file, so nothing is lost but a few faults.
 */
export function releaseProgramPages(): void {
  for (const mapping of readFileSync("/proc/self/smaps", "latin1").split(eachMapping)) {
    const [, start, end] = readOnlyFile.exec(mapping) ?? [];
    if (start === undefined || end === undefined || !unchanged.test(mapping)) continue;
    const address = BigInt(`0x${start}`);
    libc().functions.madvise(address, BigInt(`0x${end}`) - address, MADV_DONTNEED);
  }
}
