import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { commandMachine, machineFiles, type ClusterPlan } from "@talos-ts/provision";

/** A picture of the display of a virtual machine: one byte for each of red, green and blue. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** The display and the keyboard of a virtual machine. */
export interface Display {
  takePicture(): Promise<Picture>;
  /** @param key Name of QEMU's table of keys: `f2`, `tab`. */
  press(key: string): Promise<void>;
}

export function openDisplay(plan: ClusterPlan): Display {
  const [node] = plan.nodes;
  if (node === undefined) throw new Error("expected a cluster with a machine");
  const socket = machineFiles.monitor(plan, node);
  return {
    async takePicture() {
      const filename = join(machineFiles.folder(plan, node), "display.ppm");
      try {
        await commandMachine(socket, { execute: "screendump", arguments: { filename } });
        return parsePicture(await readFile(filename));
      } finally {
        await rm(filename, { force: true });
      }
    },
    press: (key) =>
      commandMachine(socket, { execute: "send-key", arguments: { keys: [{ type: "qcode", data: key }] } }),
  };
}

/** Parses a portable pixmap (ppm(5)). */
function parsePicture(bytes: Buffer): Picture {
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString("latin1", 0, 64));
  if (header === null) throw new Error("expected a portable pixmap with 8 bits for each color");
  return { width: Number(header[1]), height: Number(header[2]), pixels: bytes.subarray(header[0].length) };
}

/** Share of a row that has to be lit for a line of a frame: characters of text leave more than that dark. */
const lineShare = 0.85;
const lit = 0x20;

/** Counts the rows of pixels that are a line from edge to edge: panels of the dashboard have them, a log has none. */
export function frameRows({ width, height, pixels }: Picture): number {
  let count = 0;
  for (let y = 0; y < height; y++) {
    let bright = 0;
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      if (Math.max(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) > lit) bright += 1;
    }
    if (bright >= width * lineShare) count += 1;
  }
  return count;
}
