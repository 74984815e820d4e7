import { diskSizeCondition } from "../../schema/formats.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";

const diskSelector = object(
  "v1alpha1.InstallDiskSelector",
  "Chooses the disk to install to; all given conditions must hold.",
  {
    size: field(diskSizeCondition, "Size of the disk, with an optional comparison.", { example: ">= 1TB" }),
    name: field(string(), "Name of the disk in /sys/block, as in device/name."),
    model: field(string(), "Model; shell patterns are allowed.", { example: "WDC*" }),
    serial: field(string(), "Serial number."),
    modalias: field(string(), "Modalias of the device."),
    uuid: field(string(), "UUID of the disk."),
    wwid: field(string(), "World wide id of the disk."),
    type: field(string({ values: ["ssd", "hdd", "nvme", "sd"] }), "Kind of the disk."),
    busPath: field(string(), "Path on the bus; shell patterns are allowed.", { example: "/pci0000:00/*" }),
  },
);

const extension = object(undefined, "A system extension.", {
  image: field(string(), "Image of the extension.", { always: true }),
});

export const install = object("v1alpha1.InstallConfig", "Where and how the system is installed.", {
  disk: field(string(), "Disk to install to.", { example: "/dev/nvme0n1" }),
  diskSelector: field(diskSelector, "Chooses the disk by its properties; wins over disk."),
  extraKernelArgs: field(list(string()), "More arguments of the kernel.", {
    deprecated: "put them into the boot assets",
  }),
  image: field(string(), "Image of the installer."),
  extensions: field(list(extension), "System extensions.", { deprecated: "build them into the boot assets" }),
  bootloader: field(boolean, "Whether a boot loader is installed.", { hidden: true }),
  wipe: field(boolean, "Whether the disk is wiped before the installation.", { always: true }),
  legacyBIOSSupport: field(boolean, "Marks the partition bootable for BIOSes that need it."),
  grubUseUKICmdline: field(boolean, "Takes the kernel arguments from the boot asset instead of the configuration."),
});
