import { openSync, writeSync } from "node:fs";

/** `user` and `warning` (syslog(3)), as other programs of user space are logged. */
const priority = 1 * 8 + 4;
/** The kernel refuses records of more than 1024 bytes with their prefix. */
const maxBytes = 960;

/** Opens the kernel log for writing; lines that do not fit a record are cut. */
export function kernelLogWriter(path = "/dev/kmsg"): (line: string) => void {
  const device = openSync(path, "a");
  return (line) => {
    const bytes = Buffer.from(line.replaceAll("\n", " "));
    const text = bytes.length <= maxBytes ? bytes.toString() : `${bytes.toString("utf8", 0, maxBytes)}…`;
    try {
      writeSync(device, `<${String(priority)}>${text}\n`);
    } catch {
      // The log of machined has the line; there is no better place to complain in.
    }
  };
}
