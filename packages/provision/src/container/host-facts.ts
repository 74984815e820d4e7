import { readdir, readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { capabilitiesOf } from "./capabilities.ts";

export interface HostDevice {
  readonly path: string;
  readonly type: "c" | "b";
  readonly major: number;
  readonly minor: number;
}

/** Capabilities, limits and devices of the host that nodes use. */
export interface HostFacts {
  /** Hosts may withhold some from root; asking for one of those fails. */
  readonly capabilities: readonly string[];
  /** The highest number of open files a process may have. */
  readonly openFiles: number;
  readonly devices: readonly HostDevice[];
  readonly ipv6: boolean;
  readonly nameservers: readonly string[];
}

/** Devices a node uses beyond those of every container. */
const wantedDevices = /^(?:kmsg|fuse|loop-control|loop\d+|net\/tun)$/;

export async function readHostFacts(): Promise<HostFacts> {
  const status = await readFile("/proc/self/status", "utf8");
  const limits = await readFile("/proc/self/limits", "utf8");
  return {
    capabilities: capabilitiesOf(/^CapBnd:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? "0"),
    openFiles: openFilesOf(limits),
    devices: await devices(),
    ipv6: await stat("/proc/sys/net/ipv6").then(
      () => true,
      () => false,
    ),
    nameservers: await nameservers(),
  };
}

/** The hard limit of open files; without one, the kernel's own highest value. */
export function openFilesOf(limits: string): number {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1];
  return hard === undefined || hard === "unlimited" ? 1_048_576 : Number(hard);
}

/** Name servers a container can reach: a resolver on the host's loopback is not one of them. */
export function nameserversOf(resolvConf: string): string[] {
  return resolvConf.split("\n").flatMap((line) => {
    const address = /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? "";
    return isIP(address) === 0 || /^(?:127\.|::1$)/.test(address) ? [] : [address];
  });
}

async function nameservers(): Promise<string[]> {
  for (const path of ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"]) {
    const found = nameserversOf(await readFile(path, "utf8").catch(() => ""));
    if (found.length > 0) return found;
  }
  return [];
}

async function devices(): Promise<HostDevice[]> {
  const names = [...(await readdir("/dev")), "net/tun"].filter((name) => wantedDevices.test(name)).sort();
  const found = await Promise.all(
    names.map(async (name): Promise<HostDevice[]> => {
      const path = `/dev/${name}`;
      const info = await stat(path).catch(() => undefined);
      if (info === undefined || !(info.isCharacterDevice() || info.isBlockDevice())) return [];
      const number = BigInt(info.rdev);
      return [
        {
          path,
          type: info.isBlockDevice() ? "b" : "c",
          major: Number((number >> 8n) & 0xfffn),
          minor: Number((number & 0xffn) | ((number >> 12n) & 0xfff00n)),
        },
      ];
    }),
  );
  return found.flat();
}
