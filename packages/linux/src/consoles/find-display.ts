import { isKind } from "@talos-ts/base";
import type { TextFiles } from "../files/text-files.ts";

const folder = "/sys/class/vtconsole";
/** Driver that stands in while there is no display. */
const dummy = "dummy device";

/** Finds the driver that shows virtual terminals; `undefined` when only the dummy does, or the kernel has no virtual terminals. */
export async function findDisplay(files: Pick<TextFiles, "list" | "read">): Promise<string | undefined> {
  const drivers = await files.list(folder).catch((err: unknown) => {
    if (isKind(err, "not-found")) return [];
    throw err;
  });
  for (const driver of drivers) {
    if ((await files.read(`${folder}/${driver}/bind`)).trim() !== "1") continue;
    // "(S)" is a driver of the system, "(M)" one of a module.
    const name = (await files.read(`${folder}/${driver}/name`)).trim().replace(/^\([SM]\) /, "");
    if (name !== dummy) return name;
  }
  return undefined;
}
