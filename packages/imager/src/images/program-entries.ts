import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Placement } from "./catalog.ts";
import type { TarEntry } from "./tar-entry.ts";

/**
 * The capability to bind low ports, in the form the kernel stores it with a file (version 2, effective, CAP_NET_BIND_SERVICE):
 * a program that does not run as root keeps it when it is started.
 */
const bindLowPorts = Buffer.from("0100000200040000000000000000000000000000", "hex");

/** The entries of a layer with programs; `locate` gives the file of each. */
export async function programEntries(
  placements: readonly Placement[],
  locate: (program: Placement["program"]) => string,
): Promise<TarEntry[]> {
  const entries = placements.map(async ({ program, path, links = [], bindsLowPorts }): Promise<TarEntry[]> => {
    const from = locate(program);
    const { size } = await stat(from);
    const attributes = bindsLowPorts === true ? { attributes: { "security.capability": bindLowPorts } } : {};
    return [
      { type: "file", path, mode: 0o755, content: { from, size }, ...attributes },
      ...links.map((name): TarEntry => ({ type: "hardlink", path: join(dirname(path), name), target: path })),
    ];
  });
  return (await Promise.all(entries)).flat();
}
