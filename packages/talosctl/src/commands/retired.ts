import { OsError } from "@talos-ts/base";
import type { CommandEntry } from "../command.ts";

/** Commands that upstream's client took back, and those to use instead. */
const retired: readonly {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly instead: readonly [string, ...string[]];
}[] = [
  { name: "crashdump", instead: ["talosctl support"] },
  { name: "disks", instead: ["talosctl get disks", "talosctl get systemdisk", "talosctl get discoveredvolumes"] },
  { name: "interfaces", instead: ["talosctl get addresses", "talosctl get links"] },
  { name: "routes", aliases: ["route"], instead: ["talosctl get routes"] },
];

/** Hidden commands that end with the one to use instead, so that old scripts and habits find it. */
export const retiredCommands: readonly CommandEntry[] = retired.map(({ name, aliases = [], instead }) => ({
  name,
  aliases,
  summary: `Was replaced by ${instead[0]}`,
  hidden: true,
  load: async () => ({
    command: {
      async run() {
        const commands = instead.map((command) => `\`${command}\``).join(", ");
        throw new OsError({
          kind: "unimplemented",
          code: "cli/retired",
          message: `\`talosctl ${name}\` is deprecated, please use ${commands} instead`,
          next: instead[0],
        });
      },
    },
  }),
}));
