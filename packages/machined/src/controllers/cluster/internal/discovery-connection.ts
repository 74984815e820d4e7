import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describeError, type Clock } from "@talos-ts/base";
import type { ControllerContext } from "@talos-ts/cosi";
import type { ClientTlsMaterial } from "@talos-ts/grpc";
import { createDiscoveryClient, type DiscoveryClient } from "@talos-ts/machinery/discovery";
import type { DiscoveryConfigSpec } from "@talos-ts/machinery/resources/cluster";

/** Holds at most one client of a discovery service: the one for the active configuration and identity. */
export interface DiscoveryConnection extends AsyncDisposable {
  /** The client for these; `undefined` when there can be none, which has then been said. */
  open(config: DiscoveryConfigSpec, nodeId: string): Promise<DiscoveryClient | undefined>;
  close(): Promise<void>;
}

export function createDiscoveryConnection(
  context: Pick<ControllerContext, "logger" | "queueReconcile">,
  { clock, root }: { readonly clock: Clock; readonly root: string },
): DiscoveryConnection {
  let client: DiscoveryClient | undefined;
  let openFor: unknown;

  async function close(): Promise<void> {
    const closing = client;
    client = undefined;
    openFor = undefined;
    await closing?.[Symbol.asyncDispose]();
  }

  function create(config: DiscoveryConfigSpec, affiliateId: string): DiscoveryClient | undefined {
    const { serviceEndpoint: endpoint, serviceClusterID: clusterId, serviceEncryptionKey: key } = config;
    try {
      return createDiscoveryClient({
        endpoint,
        clusterId,
        affiliateId,
        key,
        clock,
        logger: context.logger,
        onChange: () => context.queueReconcile(),
        ...(!config.serviceEndpointInsecure && { tls: { material: () => trusted(root), minVersion: "TLSv1.2" } }),
      });
    } catch (err) {
      // Trying again would not help: only another configuration does.
      const next = "talosctl edit machineconfig";
      context.logger.error("cannot use the discovery service", { endpoint, error: describeError(err), next });
      return undefined;
    }
  }

  return {
    close,
    async open(config, nodeId) {
      const wanted = { config, nodeId };
      if (isDeepStrictEqual(openFor, wanted)) return client;
      await close();
      openFor = wanted;
      client = create(config, nodeId);
      return client;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Reads the trusted CAs of the machine as they are now. */
function trusted(root: string): ClientTlsMaterial {
  try {
    return { ca: readFileSync(join(root, "/etc/ssl/certs/ca-certificates.crt")) };
  } catch {
    return {};
  }
}
