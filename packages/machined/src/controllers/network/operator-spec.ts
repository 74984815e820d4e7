import { describeError, type Clock } from "@talos-ts/base";
import { equalSpecs, shared, weak, type Controller, type ControllerContext, type Resource } from "@talos-ts/cosi";
import { encodeMac, type Linux } from "@talos-ts/linux";
import {
  AddressSpec,
  HostnameSpec,
  LinkSpec,
  LinkStatus,
  OperatorSpec,
  ResolverSpec,
  RouteSpec,
  TimeServerSpec,
  type LinkStatusSpec,
  type OperatorSpecSpec,
} from "@talos-ts/machinery/resources/network";
import { runDhcp } from "../../dhcp/client.ts";
import type { Lease } from "../../dhcp/lease.ts";
import { runDhcp6 } from "../../dhcp6/client.ts";
import { openDhcp6Socket } from "../../dhcp6/socket.ts";
import { leaseSpecs } from "./internal/lease-specs.ts";
import { configNamespace } from "./internal/resource-ids.ts";

interface RunningOperator {
  readonly spec: OperatorSpecSpec;
  readonly linkIndex: number;
  readonly abort: AbortController;
  lease: Lease | undefined;
}

const outputs = [AddressSpec, LinkSpec, RouteSpec, HostnameSpec, ResolverSpec, TimeServerSpec].map((type) =>
  shared(type, configNamespace),
);

/** Runs DHCPv4 and DHCPv6 on links that are up, and publishes what the leases say. A link that goes down gives its lease up. */
export function operatorSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const { linux, clock } = machine;

  function start(spec: OperatorSpecSpec, link: LinkStatusSpec, context: ControllerContext): RunningOperator {
    const running: RunningOperator = { spec, linkIndex: link.index, abort: new AbortController(), lease: undefined };
    const logger = context.logger.with({ operator: spec.operator, link: spec.linkName });
    const signal = AbortSignal.any([running.abort.signal, context.signal]);
    const onLease = (lease: Lease | undefined): void => {
      running.lease = lease;
      context.queueReconcile();
    };
    const common = { clock, logger, signal, onLease };
    const { here } = linux.networks;
    const runs = {
      dhcp4: () =>
        runDhcp({
          open: () => here.openPackets(link.index),
          hardwareAddress: link.hardwareAddr,
          clientId: clientIdOf(spec, link),
          ...common,
        }),
      dhcp6: () =>
        runDhcp6({
          open: () => openDhcp6Socket(here, { name: spec.linkName, index: link.index }),
          clientId: duidOf(spec, link),
          identity: encodeMac(link.hardwareAddr).readUInt32BE(2),
          ...common,
        }),
    };
    runs[spec.operator === "dhcp6" ? "dhcp6" : "dhcp4"]().catch((err: unknown) =>
      logger.error("operator failed", { error: describeError(err) }),
    );
    return running;
  }

  return {
    name: "network.OperatorSpecController",
    inputs: [weak(OperatorSpec), weak(LinkStatus)],
    outputs,
    async run(context) {
      const operators = new Map<string, RunningOperator>();
      const stop = (id: string): void => {
        operators.get(id)?.abort.abort();
        operators.delete(id);
      };
      using _all = { [Symbol.dispose]: () => [...operators.keys()].forEach(stop) };

      for await (const _event of context.events) {
        const wanted = new Map<string, { readonly spec: OperatorSpecSpec; readonly link: LinkStatusSpec }>();
        for (const { metadata, spec } of await context.list(OperatorSpec)) {
          const link = (await context.find(LinkStatus, spec.linkName))?.spec;
          if (metadata.phase !== "running" || spec.operator === "vip" || link === undefined) continue;
          if (!spec.requireUp || isUp(link)) wanted.set(metadata.id, { spec, link });
        }
        for (const [id, { spec, linkIndex }] of operators) {
          const now = wanted.get(id);
          if (now === undefined || now.link.index !== linkIndex || !equalSpecs(now.spec, spec)) stop(id);
        }
        for (const [id, { spec, link }] of wanted)
          if (!operators.has(id)) operators.set(id, start(spec, link, context));
        await publish(context, [...operators.values()]);
        context.resetRestartBackoff();
      }
    },
  };
}

async function publish(context: ControllerContext, operators: readonly RunningOperator[]): Promise<void> {
  context.startTrackingOutputs();
  const resources: readonly Resource[] = operators.flatMap(({ spec, lease }) =>
    lease === undefined ? [] : leaseSpecs(spec, lease),
  );
  for (const { metadata, spec } of resources) {
    const output = outputs.find(({ type }) => type === metadata.type);
    if (output !== undefined) {
      await context.put(output.resourceType, metadata.id, () => spec, { namespace: metadata.namespace });
    }
  }
  await context.cleanupOutputs(...outputs);
}

function isUp({ operationalState, linkState, flags }: LinkStatusSpec): boolean {
  return flags.includes("UP") && (operationalState === "up" || (operationalState === "unknown" && linkState));
}

/** DUID-LL (RFC 8415, section 11.4): type, hardware type, address. */
const duidLinkLayer = Buffer.from([0, 3, 0, 1]);

/** The identifier of the configuration, or one made of the hardware address; DHCPv6 does without neither. */
function duidOf({ dhcp6 }: OperatorSpecSpec, link: LinkStatusSpec): Buffer {
  const { clientIdentifier, duidRawHex } = dhcp6.clientIdentifier;
  if (clientIdentifier === "duid" && duidRawHex !== "") return Buffer.from(duidRawHex, "hex");
  return Buffer.concat([duidLinkLayer, encodeMac(link.hardwareAddr)]);
}

const hardwareTypeEthernet = 1;
const hardwareTypeOther = 255;

/** Option 61: the hardware address, or a DUID with the identity of the link before it (RFC 4361). */
function clientIdOf({ dhcp4 }: OperatorSpecSpec, link: LinkStatusSpec): Buffer | undefined {
  const { clientIdentifier, duidRawHex } = dhcp4.clientIdentifier;
  if (clientIdentifier === "mac")
    return Buffer.concat([Buffer.from([hardwareTypeEthernet]), encodeMac(link.hardwareAddr)]);
  if (clientIdentifier !== "duid") return undefined;
  return Buffer.concat([
    Buffer.from([hardwareTypeOther]),
    encodeMac(link.hardwareAddr).subarray(-4),
    Buffer.from(duidRawHex, "hex"),
  ]);
}
