import { maskPrefix } from "@talos-ts/base/net";
import type { Firmware } from "@talos-ts/imager";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { Accelerator } from "./accelerator.ts";
import { machineFiles } from "./node-layout.ts";

export interface MachineOptions {
  readonly plan: ClusterPlan;
  readonly node: NodePlan;
  /** Its firmware, whose variables the folder of the machine has a copy of. */
  readonly firmware: Firmware;
  /** Disk that the machine starts from while its own has no boot loader. */
  readonly medium: string;
  readonly accelerator: Accelerator;
}

/** Name of QEMU for the processors it runs on here. */
export const qemuProgram = "qemu-system-x86_64";

/**
 * Processors by accelerator. Translated ones are old on purpose: newer instructions are slower to translate than to do without.
 * They lack cmpxchg16b, which QEMU 7.2 gets wrong in a way that ends in a panic of today's kernels.
 */
const processors: Readonly<Record<Accelerator, readonly string[]>> = {
  kvm: ["-accel", "kvm", "-cpu", "host"],
  tcg: ["-accel", "tcg,thread=multi", "-cpu", "Nehalem,-cx16"],
};

/** Gives the command line of the machine of a node, which leaves it running in the background. */
export function qemuCommand(options: MachineOptions): readonly string[] {
  const { plan, node, firmware, medium, accelerator } = options;
  const words: readonly (readonly string[])[] = [
    [qemuProgram],
    ["-name", `${node.name},process=${node.name}`],
    ["-machine", "q35", "-nodefaults", "-no-user-config", "-display", "none"],
    processors[accelerator],
    ["-smp", String(Math.max(1, Math.round(node.cpus)))],
    ["-m", `${String(Math.floor(node.memoryBytes / 1024 ** 2))}M`],
    ["-drive", `file=${escaped(firmware.code)},if=pflash,unit=0,format=raw,readonly=on`],
    ["-drive", `file=${escaped(machineFiles.variables(plan, node))},if=pflash,unit=1,format=raw`],
    // What follows the label is appended to the arguments that the image of the kernel has, by systemd-stub.
    ["-smbios", `type=11,value=io.systemd.stub.kernel-cmdline-extra=${escaped(kernelArguments(plan, node))}`],
    ["-drive", `file=${escaped(machineFiles.disk(plan, node))},if=none,id=disk,format=raw,discard=unmap`],
    ["-device", "virtio-blk-pci,drive=disk,bootindex=0"],
    ["-drive", `file=${escaped(medium)},if=none,id=medium,format=raw,readonly=on`],
    ["-device", "virtio-blk-pci,drive=medium,bootindex=1"],
    ["-netdev", `tap,id=net0,ifname=${node.link},script=no,downscript=no`],
    ["-device", `virtio-net-pci,netdev=net0,mac=${node.hardwareAddress},romfile=`],
    ["-device", "virtio-rng-pci"],
    ["-chardev", `file,id=console,path=${escaped(machineFiles.console(plan, node))},append=on`],
    ["-serial", "chardev:console"],
    // A screen that nobody sits at; pictures of it are taken through the machine protocol.
    ["-vga", "std"],
    ["-qmp", `unix:${escaped(machineFiles.monitor(plan, node))},server=on,wait=off`],
    ["-D", machineFiles.log(plan, node)],
    ["-pidfile", machineFiles.pid(plan, node), "-daemonize"],
  ];
  return words.flat();
}

/** Gives the arguments of the kernel that concern one machine: the network as `ip=` of the kernel's documentation has it. */
export function kernelArguments(plan: ClusterPlan, node: NodePlan): string {
  const { gateway, prefixLength } = plan.network;
  const ip = [node.address, "", gateway, netmask(prefixLength), node.name, "eth0", "off"].join(":");
  return `net.ifnames=0 ip=${ip}`;
}

function netmask(prefixLength: number): string {
  return maskPrefix(`255.255.255.255/${String(prefixLength)}`).split("/")[0] ?? "";
}

/** Commas separate options of QEMU; one in a value is doubled. */
function escaped(path: string): string {
  return path.replaceAll(",", ",,");
}
