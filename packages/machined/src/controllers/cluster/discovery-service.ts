import type { Clock } from "@talos-ts/base";
import { destroyReady, shared, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import type { DiscoveryClient } from "@talos-ts/machinery/discovery";
import { Affiliate, DiscoveryConfig, Identity } from "@talos-ts/machinery/resources/cluster";
import { KubeSpanEndpoint } from "@talos-ts/machinery/resources/kubespan";
import { AddressStatus } from "@talos-ts/machinery/resources/network";
import { MachineResetSignal } from "@talos-ts/machinery/resources/runtime";
import { isIPv6 } from "@talos-ts/base/net";
import { createDiscoveryConnection } from "./internal/discovery-connection.ts";

const raw = { namespace: "cluster-raw" };
/** Addresses of this machine as the outside sees them. */
const outside = { namespace: "cluster" };

const inputs = [
  weak(DiscoveryConfig, { id: DiscoveryConfig.id }),
  weak(Identity, { id: Identity.id }),
  weak(KubeSpanEndpoint),
  weak(MachineResetSignal, { id: MachineResetSignal.id }),
  destroyReady(Affiliate, raw),
  destroyReady(AddressStatus, outside),
];
const outputs = [shared(Affiliate, raw.namespace), shared(AddressStatus, outside.namespace)];

/** Tells the discovery service about this machine, and the machine about the others that the service knows. */
export function discoveryServiceController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  return {
    name: "cluster.DiscoveryServiceController",
    inputs,
    outputs,
    async run(context) {
      await using connection = createDiscoveryConnection(context, machine);
      let followed: string | undefined;

      async function reconcile(): Promise<void> {
        const config = (await context.find(DiscoveryConfig, DiscoveryConfig.id))?.spec;
        if (config === undefined) return;
        if (!config.registryServiceEnabled) {
          await connection.close();
          await write(context, undefined);
          return;
        }
        const nodeId = (await context.find(Identity, Identity.id))?.spec.nodeId;
        if (nodeId === undefined) return;
        if (nodeId !== followed) {
          await context.updateInputs([...inputs, weak(Affiliate, { id: nodeId })]);
          followed = nodeId;
        }
        const own = await context.find(Affiliate, nodeId);
        if (own === undefined) return;
        const client = await connection.open(config, nodeId);
        if (client === undefined) return;
        const signal = await context.find(MachineResetSignal, MachineResetSignal.id);
        if (signal !== undefined) client.withdraw();
        else client.announce(own.spec, await seenEndpoints(context));
        await write(context, client);
      }

      for await (const _event of context.events) {
        await reconcile();
        context.resetRestartBackoff();
      }
    },
  };
}

async function seenEndpoints(
  context: ControllerContext,
): Promise<readonly { readonly affiliateId: string; readonly endpoint: string }[]> {
  const seen = await context.list(KubeSpanEndpoint);
  return seen.map(({ spec: { affiliateID, endpoint } }) => ({ affiliateId: affiliateID, endpoint }));
}

/** Writes what the service said, and nothing else. */
async function write(context: ControllerContext, client: DiscoveryClient | undefined): Promise<void> {
  context.startTrackingOutputs();
  const address = client?.publicAddress;
  if (address !== undefined) {
    const spec = AddressStatus.spec({ address: `${address}/${isIPv6(address) ? "128" : "32"}` });
    await context.put(AddressStatus, "service", () => spec, outside);
  }
  for (const spec of client?.affiliates ?? []) await context.put(Affiliate, `service/${spec.nodeId}`, () => spec, raw);
  await context.cleanupOutputs(...outputs);
}
