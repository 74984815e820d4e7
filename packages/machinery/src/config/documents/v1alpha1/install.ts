import { diskSizeCondition } from "../../schema/formats.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";

const diskSelector = object(
  "v1alpha1.InstallDiskSelector",
  "Chooses the disk to install to; all given conditions must hold.",
  {
    size: property(diskSizeCondition, "Size of the disk, with an optional comparison.", { example: ">= 1TB" }),
    name: property(string(), "Name of the disk in /sys/block, as in device/name."),
    model: property(string(), "Model; shell patterns are allowed.", { example: "WDC*" }),
    serial: property(string(), "Serial number."),
    modalias: property(string(), "Modalias of the device."),
    uuid: property(string(), "UUID of the disk."),
    wwid: property(string(), "World wide id of the disk."),
    type: property(string({ values: ["ssd", "hdd", "nvme", "sd"] }), "Kind of the disk."),
    busPath: property(string(), "Path on the bus; shell patterns are allowed.", { example: "/pci0000:00/*" }),
  },
);

const extension = object(undefined, "A system extension.", {
  image: property(string(), "Image of the extension.", { always: true }),
});

export const install = object("v1alpha1.InstallConfig", "Where and how the system is installed.", {
  disk: property(string(), "Disk to install to.", { example: "/dev/nvme0n1" }),
  diskSelector: property(diskSelector, "Chooses the disk by its properties; wins over disk."),
  extraKernelArgs: property(array(string()), "More arguments of the kernel.", {
    deprecated: "put them into the boot assets",
  }),
  image: property(string(), "Image of the installer."),
  extensions: property(array(extension), "System extensions.", { deprecated: "build them into the boot assets" }),
  bootloader: property(boolean, "Whether a boot loader is installed.", { hidden: true }),
  wipe: property(boolean, "Whether the disk is wiped before the installation.", { always: true }),
  legacyBIOSSupport: property(boolean, "Marks the partition bootable for BIOSes that need it."),
  grubUseUKICmdline: property(boolean, "Takes the kernel arguments from the boot asset instead of the configuration."),
});
