import { createMemoryLinux, type MemoryLinux } from "@talos-ts/linux/memory";
import { kernelError } from "@talos-ts/linux";

const disk = "../../devices/pci0000:00/0000:00:03.0/virtio1/block/vda";

const files: Readonly<Record<string, string>> = {
  "/sys/class/block/dm-0/uevent": "MAJOR=253\nMINOR=0\nDEVNAME=dm-0\nDEVTYPE=disk\n",
  "/sys/class/block/dm-0/size": "204800\n",
  "/sys/class/block/loop0/uevent": "MAJOR=7\nMINOR=0\nDEVNAME=loop0\nDEVTYPE=disk\n",
  "/sys/class/block/loop0/size": "0\n",
  "/sys/class/block/vda/uevent": "MAJOR=254\nMINOR=0\nDEVNAME=vda\nDEVTYPE=disk\n",
  "/sys/class/block/vda/size": "12582912\n",
  "/sys/class/block/vda/ro": "0\n",
  "/sys/class/block/vda/queue/logical_block_size": "512\n",
  "/sys/class/block/vda/device/modalias": "virtio:d00000002v00001AF4\n",
  "/sys/class/block/vda1/uevent": "MAJOR=254\nMINOR=1\nDEVNAME=vda1\nDEVTYPE=partition\nPARTN=1\nPARTNAME=STATE\n",
  "/sys/class/block/vda1/size": "204800\n",
  "/sys/class/block/vda1/start": "2048\n",
};

/** Devices that others are made of. */
const secondaries: Readonly<Record<string, readonly string[]>> = { "/sys/class/block/dm-0/slaves": ["vda1"] };

const links: Readonly<Record<string, string>> = {
  "/sys/class/block/dm-0": "../../devices/virtual/block/dm-0",
  "/sys/class/block/loop0": "../../devices/virtual/block/loop0",
  "/sys/class/block/vda": disk,
  "/sys/class/block/vda1": `${disk}/vda1`,
};

/**
 * A kernel with one disk, one partition on it, and a loop device that nobody uses.
 * @param mapped Adds a device that is made of the partition.
 */
export function blockFiles({ mapped = false }: { readonly mapped?: boolean } = {}): MemoryLinux {
  const linux = createMemoryLinux();
  const absent = (path: string): never => {
    throw kernelError({ area: "file", action: `read "${path}"`, errno: "ENOENT" });
  };
  const all = Object.keys(links).map((path) => path.split("/").at(-1) ?? "");
  const names = all.filter((name) => mapped || name !== "dm-0");
  const textFiles = {
    ...linux.textFiles,
    read: async (path: string) => files[path] ?? absent(path),
    list: async (path: string) => (path === "/sys/class/block" ? names : (secondaries[path] ?? absent(path))),
    readLink: async (path: string) => links[path] ?? absent(path),
  };
  return { ...linux, textFiles };
}
