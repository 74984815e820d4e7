import { basename } from "node:path";
import { describeError } from "@talos-ts/base";
import type { TextFiles } from "@talos-ts/linux";
import type { Duplex } from "@talos-ts/machinery/resources/enums";

/** Describes what sysfs knows of a link beyond netlink. */
export interface LinkDevice {
  readonly speedMbit: number;
  readonly duplex: Duplex;
  readonly driver: string;
  readonly busPath: string;
  /** `vendor:device`, upper case, as the kernel writes it. */
  readonly pciID: string;
}

const duplexes: Readonly<Record<string, Duplex>> = { full: "Full", half: "Half" };

/** Links that are not hardware, or are down, have few of these files; what is missing stays empty. */
export async function readLinkDevice(files: TextFiles, name: string): Promise<LinkDevice> {
  const folder = `/sys/class/net/${name}`;
  const attempt = (work: Promise<string>): Promise<string> => work.catch((err: unknown) => absent(describeError(err)));
  const [speed, duplex, driver, bus, uevent] = await Promise.all([
    attempt(files.read(`${folder}/speed`)),
    attempt(files.read(`${folder}/duplex`)),
    attempt(files.readLink(`${folder}/device/driver`)),
    attempt(files.readLink(`${folder}/device`)),
    attempt(files.read(`${folder}/device/uevent`)),
  ]);
  return {
    speedMbit: Math.max(0, Number.parseInt(speed, 10) || 0),
    duplex: duplexes[duplex.trim()] ?? "Unknown",
    driver: basename(driver),
    busPath: basename(bus),
    pciID: /^PCI_ID=(\S+)$/m.exec(uevent)?.[1] ?? "",
  };
}

const absent = (_reason: string): string => "";
