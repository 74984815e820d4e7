import type { OperatorSpecSpec } from "@talos-ts/machinery/resources/network";
import { equinixMetalMover } from "./equinix-metal.ts";
import { hcloudMover } from "./hcloud.ts";

/** The API of a provider that sends an address to a machine. */
export interface AddressMover {
  /** Sends the address to this machine, wherever it is. @throws OsError `vip/provider` */
  acquire(signal: AbortSignal): Promise<void>;
  /** Takes the address from this machine, if the provider wants that. @throws OsError `vip/provider` */
  release(signal: AbortSignal): Promise<void>;
}

/** Addresses of the APIs. */
export interface ProviderUrls {
  readonly hcloud: string;
  readonly hcloudMetadata: string;
  readonly equinixMetal: string;
  readonly equinixMetalMetadata: string;
}

const providerUrls: ProviderUrls = {
  hcloud: "https://api.hetzner.cloud/v1",
  hcloudMetadata: "http://169.254.169.254/hetzner/v1/metadata",
  equinixMetal: "https://api.equinix.com/metal/v1",
  equinixMetalMetadata: "https://metadata.platformequinix.com",
};

export interface MoverMachine {
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
  /** @default those of the providers */
  readonly urls?: ProviderUrls;
}

/** The mover of an address; `undefined` for one that is announced on its link. */
export function addressMover(
  { root, urls = providerUrls }: MoverMachine,
  vip: OperatorSpecSpec["vip"],
): AddressMover | undefined {
  const { ip, hcloud, equinixMetal } = vip;
  if (hcloud.apiToken !== "") {
    return hcloudMover({ root, ip, apiToken: hcloud.apiToken, url: urls.hcloud, metadataUrl: urls.hcloudMetadata });
  }
  if (equinixMetal.apiToken === "") return undefined;
  const { equinixMetal: url, equinixMetalMetadata: metadataUrl } = urls;
  return equinixMetalMover({ root, ip, apiToken: equinixMetal.apiToken, url, metadataUrl });
}
