import type { CommandDefinition } from "../../command.ts";
import { runCreate } from "./create.ts";
import { qemuOptions, readRequest } from "./create-options.ts";

export const command: CommandDefinition = {
  description:
    "Creates a cluster on this machine, each node in a virtual machine of QEMU with a disk of its own, and adds a context for it to the client configuration. The machines start without a configuration, which is then applied through their API. With KVM where the processor has it; without, everything takes about ten times as long.",
  options: qemuOptions,
  talksToNodes: false,
  examples: [
    "talosctl cluster create qemu --workers 0 --images none",
    "talosctl cluster create qemu --name vm --memory 4GiB --disk 10GiB",
  ],
  run: (invocation) => runCreate(invocation, { ...readRequest(invocation), provisioner: "qemu" }),
};
