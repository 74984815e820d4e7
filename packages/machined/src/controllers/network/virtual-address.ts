import { isIPv4 } from "node:net";
import { describeError, type Clock } from "@talos-ts/base";
import { kindOf, shared, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import {
  AddressSpec,
  HostnameStatus,
  LinkStatus,
  OperatorSpec,
  type OperatorSpecSpec,
} from "@talos-ts/machinery/resources/network";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { holdSharedAddress } from "../../etcd/hold-shared-address.ts";
import { addressMover, type ProviderUrls } from "./internal/vip/address-mover.ts";
import { movedOwnership } from "./internal/vip/moved-ownership.ts";
import { addressId, configNamespace, layeredId, operatorId } from "./internal/resource-ids.ts";

/** Time until another campaign after one that ended, in ms. */
const retryMs = 5000;

/** Takes part in the election for an address; resolves when the session has ended. */
export type HoldAddress = (
  campaign: { readonly address: string; readonly candidate: string },
  onOwner: (owner: boolean) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Collaborators, for tests. */
export interface VirtualAddressOptions {
  readonly hold?: HoldAddress;
  /** @default those of the providers */
  readonly urls?: ProviderUrls;
}

interface Running {
  readonly spec: OperatorSpecSpec;
  readonly end: AbortController;
  owner: boolean;
}

/**
 * Runs the operators of links: a virtual address belongs to the machine that wins its election in etcd. The address goes with the
 * lease, so that a machine that is cut off drops it before another one may take it. Where an address is moved by the API of a
 * provider, the machine has it once the API says so; a machine that the API refuses leaves the election to others for a while.
 */
export function virtualAddressController(
  machine: { readonly root: string; readonly clock: Clock },
  {
    hold = (campaign, onOwner, signal) => holdSharedAddress(machine, campaign, onOwner, signal),
    ...providers
  }: VirtualAddressOptions = {},
): Controller {
  const { clock } = machine;

  async function run(context: ControllerContext, one: Running, candidate: string): Promise<void> {
    const signal = AbortSignal.any([one.end.signal, context.signal]);
    const { linkName: link, vip } = one.spec;
    const mover = addressMover({ root: machine.root, ...providers }, vip);
    const setOwner = (owner: boolean): void => {
      one.owner = owner;
      context.logger.info(owner ? "enabled shared IP" : "removing shared IP", { link, ip: vip.ip });
      context.queueReconcile();
    };
    while (!signal.aborted) {
      const refused = new AbortController();
      const held = AbortSignal.any([signal, refused.signal]);
      const ownership = mover === undefined ? undefined : movedOwnership(context, mover, one.spec, setOwner, refused);
      await hold({ address: vip.ip, candidate }, ownership?.onOwner ?? setOwner, held).catch((err: unknown) => {
        if (!held.aborted) context.logger.debug("campaign failure", { link, ip: vip.ip, error: describeError(err) });
      });
      await ownership?.settled();
      await clock.sleep(retryMs, signal).catch(() => undefined);
    }
  }

  return {
    name: "network.VirtualAddressController",
    inputs: [
      weak(OperatorSpec),
      weak(LinkStatus),
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(Service, { id: "etcd" }),
    ],
    outputs: [shared(AddressSpec, configNamespace)],
    async run(context) {
      const running = new Map<string, Running>();
      using _end = {
        [Symbol.dispose]: () => {
          for (const { end } of running.values()) end.abort();
        },
      };
      for await (const _event of context.events) {
        const wanted = await wantedOperators(context);
        const hostname = (await context.find(HostnameStatus, HostnameStatus.id))?.spec.hostname ?? "";
        for (const [id, { end }] of running) {
          if (wanted.has(id)) continue;
          end.abort();
          running.delete(id);
        }
        for (const [id, spec] of wanted) {
          if (running.has(id)) continue;
          const one: Running = { spec, end: new AbortController(), owner: false };
          running.set(id, one);
          void run(context, one, hostname);
        }
        await publish(context, [...running.values()]);
        context.resetRestartBackoff();
      }
    },
  };
}

/** Virtual addresses whose link is up, while the etcd of this machine is healthy. */
async function wantedOperators(context: ControllerContext): Promise<ReadonlyMap<string, OperatorSpecSpec>> {
  const etcd = (await context.find(Service, "etcd"))?.spec;
  const hostname = await context.find(HostnameStatus, HostnameStatus.id);
  if (etcd?.running !== true || !etcd.healthy || hostname === undefined) return new Map();
  const up = new Set(
    (await context.list(LinkStatus))
      .filter(({ spec }) => spec.operationalState === "up" || spec.operationalState === "unknown")
      .flatMap(({ metadata, spec }) => [metadata.id, spec.alias].concat(spec.altNames)),
  );
  const operators = (await context.list(OperatorSpec)).filter(({ metadata }) => metadata.phase === "running");
  return new Map(
    operators
      .filter(({ spec }) => spec.operator === "vip" && up.has(spec.linkName))
      .map(({ spec }) => [operatorId(spec), spec]),
  );
}

async function publish(context: ControllerContext, running: readonly Running[]): Promise<void> {
  context.startTrackingOutputs();
  for (const { spec } of running.filter(({ owner }) => owner)) {
    const { ip, gratuitousARP } = spec.vip;
    const address = `${ip}/${isIPv4(ip) ? "32" : "128"}`;
    const id = layeredId("operator", `${operatorId(spec)}/${addressId(spec.linkName, address)}`);
    await context.put(
      AddressSpec,
      id,
      () =>
        AddressSpec.spec({
          address,
          linkName: spec.linkName,
          family: isIPv4(ip) ? "inet4" : "inet6",
          scope: "global",
          flags: ["permanent"],
          announceWithARP: gratuitousARP,
          layer: "operator",
        }),
      { namespace: configNamespace },
    );
  }
  await context.cleanupOutputs({ ...kindOf(AddressSpec), namespace: configNamespace });
}
