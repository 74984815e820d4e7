import { closeSync, openSync } from "node:fs";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";

const LOOP_CTL_GET_FREE = 0x4c82n;
const LOOP_CONFIGURE = 0x4c0an;
/** `struct loop_config`: descriptor and block size, `struct loop_info64`, reserved space. */
const configBytes = 8 + 232 + 64;
const flagsOffset = 8 + 52;
const LO_FLAGS_READ_ONLY = 1;

/**
 * Makes a file readable as a block device, and gives the path of the device.
 *
 * @throws OsError `loop/<errno>`
 */
export function attachLoopDevice(file: string): string {
  const { functions, errno } = libc();
  const check = (result: number): number => {
    if (result >= 0) return result;
    throw kernelError({
      area: "loop",
      action: `attach "${file}" to a loop device`,
      errno: errno(),
      details: { file },
    });
  };
  const control = openSync("/dev/loop-control", "r+");
  try {
    const device = `/dev/loop${String(check(functions.ioctl(control, LOOP_CTL_GET_FREE, null)))}`;
    const source = openSync(file, "r");
    const target = openSync(device, "r");
    try {
      const config = Buffer.alloc(configBytes);
      config.writeUInt32LE(source, 0);
      config.writeUInt32LE(LO_FLAGS_READ_ONLY, flagsOffset);
      check(functions.ioctl(target, LOOP_CONFIGURE, config));
    } finally {
      closeSync(source);
      closeSync(target);
    }
    return device;
  } finally {
    closeSync(control);
  }
}
