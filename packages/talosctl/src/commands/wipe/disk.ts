import { BlockDeviceWipeDescriptor_Method as Method, StorageService } from "@talos-ts/proto/storage/storage";
import type { CommandDefinition } from "../../command.ts";
import { openSession } from "../../session/session.ts";
import { flag, textOption } from "../../values.ts";

const methods: Readonly<Record<string, Method>> = { FAST: Method.FAST, ZEROES: Method.ZEROES };

export const command: CommandDefinition = {
  description: "Wipes block devices (disks or partitions) which are not used as volumes, by name: vda or sda5.",
  arguments: [{ spec: "<devices...>", description: "names of devices" }],
  options: [
    { flags: "--method <method>", description: "how to wipe", choices: Object.keys(methods), default: "FAST" },
    { flags: "--drop-partition", description: "remove the partition after it was wiped" },
    { flags: "--skip-volume-check", description: "wipe even what is used as a volume", hidden: true },
    { flags: "--skip-secondary-check", description: "wipe even what another device is made of", hidden: true },
    { flags: "-i, --insecure", description: "use the API of a machine in maintenance mode" },
  ],
  examples: ["talosctl wipe disk sdb sdc1 --nodes 10.5.0.2"],
  async run(invocation) {
    const { args, signal } = invocation;
    const options = {
      method: methods[textOption(invocation, "method") ?? "FAST"] ?? Method.FAST,
      skipVolumeCheck: flag(invocation, "skipVolumeCheck"),
      skipSecondaryCheck: flag(invocation, "skipSecondaryCheck"),
      dropPartition: flag(invocation, "dropPartition"),
    };
    const devices = args.map((device) => Object.assign({ device }, options));
    await using session = await openSession(invocation, { insecure: flag(invocation, "insecure") });
    await session.answers("wiping device", session.all(StorageService).blockDeviceWipe({ devices }, { signal }));
  },
};
