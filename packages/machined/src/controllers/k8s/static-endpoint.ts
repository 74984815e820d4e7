import { lookup } from "node:dns/promises";
import { describeError, OsError } from "@talos-ts/base";
import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { isAddress } from "@talos-ts/base/net";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Resolves a host name to all of its addresses. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Resolves with the resolver of the system, in the order of its answer. */
export const resolveWithSystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address);

/** Publishes the control plane endpoint of the configuration, resolved to addresses. */
export function staticEndpointController({ resolveHost }: { readonly resolveHost: ResolveHost }): Controller {
  return reduceController({
    name: "k8s.StaticEndpointController",
    inputs: [activeConfigInput],
    outputs: [shared(Endpoint)],
    async reduce(context) {
      const endpoint = (await activeConfig(context))?.cluster?.controlPlane?.endpoint;
      if (endpoint === undefined) return [];
      const host = new URL(endpoint).hostname.replace(/^\[(.*)\]$/, "$1");
      const addresses = isAddress(host) ? [host] : await resolved(resolveHost, host);
      const hosts = addresses.length === 1 && addresses[0] === host ? [] : [host];
      return [createResource(Endpoint, Endpoint.ids.controlPlane, Endpoint.spec({ addresses, hosts }))];
    },
  });
}

async function resolved(resolveHost: ResolveHost, host: string): Promise<readonly string[]> {
  try {
    return await resolveHost(host);
  } catch (err) {
    throw new OsError({
      kind: "unavailable",
      code: "k8s/endpoint-unresolved",
      message: `error resolving ${JSON.stringify(host)}: ${describeError(err)}`,
      next: "talosctl get machineconfig -o yaml",
      cause: err,
    });
  }
}
