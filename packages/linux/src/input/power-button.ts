import { closeSync, constants, openSync, readSync } from "node:fs";
import { watchReadable } from "../ffi/poll.ts";
import type { TextFiles } from "../files/text-files.ts";

const folder = "/sys/class/input";
/** Name that ACPI gives to the device. */
const deviceName = "Power Button";
/** `struct input_event` of 64-bit kernels: two numbers for the time, then type, code and value. */
const eventBytes = 24;
const EV_KEY = 1;
const KEY_POWER = 116;

/**
 * Calls back whenever a power button of the machine is pressed, until it is disposed. Without a button, or without the module
 * `evdev`, it never does.
 */
export async function watchPowerButtons(
  files: Pick<TextFiles, "list" | "read">,
  pressed: () => void,
): Promise<Disposable> {
  const stack = new DisposableStack();
  for (const name of await files.list(folder).catch((): string[] => [])) {
    const device = name.startsWith("event") ? await files.read(`${folder}/${name}/device/name`).catch(() => "") : "";
    if (device.trim() !== deviceName) continue;
    const fd = openSync(`/dev/input/${name}`, constants.O_RDONLY | constants.O_NONBLOCK);
    stack.defer(() => closeSync(fd));
    const buffer = Buffer.alloc(64 * eventBytes);
    stack.use(
      watchReadable(fd, () => {
        if (countPresses(buffer.subarray(0, read(fd, buffer))) > 0) pressed();
      }),
    );
  }
  return stack;
}

/** Counts how often a power button goes down in the bytes of input events; its way up is an event too. */
export function countPresses(bytes: Buffer): number {
  let presses = 0;
  for (let at = 0; at + eventBytes <= bytes.length; at += eventBytes) {
    const isKey = bytes.readUInt16LE(at + 16) === EV_KEY && bytes.readUInt16LE(at + 18) === KEY_POWER;
    if (isKey && bytes.readInt32LE(at + 20) === 1) presses += 1;
  }
  return presses;
}

function read(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer, 0, buffer.length, null);
  } catch {
    return 0;
  }
}
