import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@talos-ts/host/testing";
import {
  HostnameSpec,
  PlatformConfig,
  ResolverSpec,
  type PlatformConfigSpec,
} from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";

/** Network configuration of a platform with one hostname, one resolver and one external address. */
export function platformConfig(hostname: string): PlatformConfigSpec {
  return PlatformConfig.spec({
    hostnames: [HostnameSpec.spec({ hostname, layer: "platform" })],
    resolvers: [ResolverSpec.spec({ dnsServers: ["10.5.0.1"], layer: "platform" })],
    externalIPs: ["192.0.2.1"],
    metadata: PlatformMetadata.spec({ platform: "container", hostname: "on" }),
  });
}

/** A machine with a STATE volume, and where the configuration of the platform is kept on it. */
export interface StateVolume extends AsyncDisposable {
  readonly root: string;
  readonly state: string;
  readonly file: string;
}

export async function stateVolume(): Promise<StateVolume> {
  const directory = await temporaryDirectory();
  const state = join(directory.path, "state");
  await mkdir(state);
  const file = join(state, "platform-network.yaml");
  return { root: directory.path, state, file, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}
