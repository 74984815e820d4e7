import { OsError, type Clock } from "@talos-ts/base";
import { shared, type Controller, type ControllerContext, type Logger } from "@talos-ts/cosi";
import { hasErrno, linkFlags, type Link, type LinkChange, type Linux } from "@talos-ts/linux";
import { LinkRefresh, LinkSpec, type LinkSpecSpec } from "@talos-ts/machinery/resources/network";
import { kernelApplier } from "./internal/kernel-applier.ts";
import { rulesOfKind } from "./internal/kernel-link-info.ts";
import { findLink } from "./internal/link-names.ts";
import { linkOrder, masterOf } from "./internal/link-order.ts";
import { differsFromKernel, kernelWireguard } from "./internal/wireguard-settings.ts";

/** Describes what a link had before it was changed, to be put back in the end. */
type Former = Pick<LinkChange, "mtu" | "hardwareAddress" | "multicast">;

/**
 * Makes links, and gives links their settings. A network card that is not there is waited for. Links that somebody else made
 * are configured but never deleted; what was changed on them is put back.
 */
export function linkSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;
  /** Indexes of the links made here. */
  const made = new Set<number>();
  const formers = new Map<number, Former>();
  /** The bond, bridge or VRF that a link was made a port of here. */
  const joined = new Map<number, number>();
  /** The WireGuard settings that a link was given last. */
  const peersSet = new Map<number, string>();
  /**
   * The change of a kind's settings that was asked for last, and its error. It is not asked for again: one that takes the link
   * down would take it down for ever.
   */
  const asked = new Map<number, { readonly request: string; readonly error?: unknown }>();

  async function create(spec: LinkSpecSpec, links: readonly Link[], logger: Logger): Promise<Link | undefined> {
    const rules = rulesOfKind(spec.kind);
    if (rules === undefined) throw unknownKind(spec);
    const parent = spec.parentName === "" ? undefined : findLink(links, spec.parentName);
    if (spec.parentName !== "" && parent === undefined) return undefined;
    try {
      const link = await network.createLink({
        name: spec.name,
        info: rules.info(spec),
        ...(parent === undefined ? {} : { linkIndex: parent.index }),
        ...(spec.mtu === 0 ? {} : { mtu: spec.mtu }),
        ...(spec.hardwareAddr === "" ? {} : { hardwareAddress: spec.hardwareAddr }),
      });
      if (link !== undefined) made.add(link.index);
      logger.info("created link", { link: spec.name, kind: spec.kind });
      return link;
    } catch (err) {
      throw hasErrno(err, "EOPNOTSUPP") ? lackingKind(spec, err) : err;
    }
  }

  /** The link of a spec, made if need be; `undefined` while something it needs is not there. */
  async function ensure(spec: LinkSpecSpec, logger: Logger): Promise<Link | undefined> {
    const links = await network.links();
    if (!spec.logical) return findLink(links, spec.name);
    const link = links.find(({ name }) => name === spec.name);
    if (link === undefined) return create(spec, links, logger);
    const rules = rulesOfKind(spec.kind);
    const parentIndex = findLink(links, spec.parentName)?.index;
    if (link.kind === spec.kind && rules?.outdated(spec, link, parentIndex) === false) return link;
    if (!made.has(link.index)) throw foreignLink(spec, link);
    await network.deleteLink(link.index);
    logger.info("deleted link", { link: spec.name, reason: "it must be made anew" });
    return create(spec, await network.links(), logger);
  }

  async function applyKind(spec: LinkSpecSpec, link: Link): Promise<void> {
    const rules = rulesOfKind(spec.kind);
    const info = spec.logical ? rules?.change(spec, link) : undefined;
    if (info === undefined) {
      asked.delete(link.index);
      return;
    }
    const request = JSON.stringify(info);
    const last = asked.get(link.index);
    if (last?.request === request) {
      if (last.error !== undefined) throw last.error;
      return;
    }
    asked.set(link.index, { request });
    try {
      if (rules?.changesDown === true) await network.changeLink(link.index, { up: false });
      await network.changeLink(link.index, { info });
    } catch (error) {
      asked.set(link.index, { request, error });
      throw error;
    }
  }

  /** Sets keys and peers when the spec has changed, or when the kernel has others. */
  async function applyWireguard(spec: LinkSpecSpec, { index, name }: Link, context: ControllerContext): Promise<void> {
    if (spec.kind !== "wireguard") return;
    const wanted = kernelWireguard(spec.wireguard);
    const request = JSON.stringify(wanted);
    if (peersSet.get(index) === request && !differsFromKernel(wanted, await network.wireguard.device(index))) return;
    await network.wireguard.configure(index, wanted);
    peersSet.set(index, request);
    context.logger.info("reconfigured wireguard link", { link: name, peers: wanted.peers.length });
    // The kernel announces no change of keys and peers, so the status is asked to look.
    await context.modify(LinkRefresh, `wireguard/${name}`, (last) => ({ generation: (last?.generation ?? 0) + 1 }));
  }

  async function applyMaster(spec: LinkSpecSpec, link: Link, logger: Logger): Promise<void> {
    const name = masterOf(spec);
    if (name === "") {
      if (link.masterIndex !== 0 && joined.get(link.index) === link.masterIndex) {
        await network.changeLink(link.index, { masterIndex: 0 });
        logger.info("link left", { link: link.name });
      }
      joined.delete(link.index);
      return;
    }
    const master = await network.link(name);
    if (master === undefined || link.masterIndex === master.index) return;
    // A bond takes only links that are down, and brings them up.
    if (master.kind === "bond") await network.changeLink(link.index, { up: false });
    await network.changeLink(link.index, { masterIndex: master.index });
    joined.set(link.index, master.index);
    logger.info("link joined", { link: link.name, master: name });
  }

  async function applySettings(spec: LinkSpecSpec, link: Link): Promise<void> {
    const current = { mtu: link.mtu, hardwareAddress: link.hardwareAddress, multicast: isMulticast(link) };
    const former = formers.get(link.index) ?? {};
    const wanted: Former = {
      ...former,
      ...(spec.mtu === 0 ? {} : { mtu: spec.mtu }),
      ...(spec.hardwareAddr === "" ? {} : { hardwareAddress: spec.hardwareAddr }),
      ...(spec.multicast === undefined ? {} : { multicast: spec.multicast }),
    };
    for (const [key, value] of Object.entries(wanted)) {
      const field = key as keyof Former;
      if (current[field] === value) continue;
      formers.set(link.index, { [field]: current[field], ...formers.get(link.index) });
      await network.changeLink(link.index, { [field]: value });
    }
  }

  async function applyUp(spec: LinkSpecSpec, { index, name }: Link, logger: Logger): Promise<void> {
    const now = await network.link(index);
    if (now === undefined || isUp(now) === spec.up) return;
    await network.changeLink(index, { up: spec.up });
    logger.info(spec.up ? "brought link up" : "brought link down", { link: name });
  }

  return kernelApplier(machine, {
    name: "network.LinkSpecController",
    type: LinkSpec,
    noun: "link",
    groups: ["links"],
    order: linkOrder,
    outputs: [shared(LinkRefresh)],
    async apply(spec, _links, context) {
      const { logger } = context;
      const link = await ensure(spec, logger);
      if (link === undefined) return;
      // A setting that is refused does not keep the link from its other settings.
      const failures: unknown[] = [];
      await applyWireguard(spec, link, context).catch((err: unknown) => failures.push(err));
      for (const step of [applyKind, applyMaster, applySettings, applyUp]) {
        await step(spec, link, logger).catch((err: unknown) => failures.push(err));
      }
      if (failures.length > 0) throw failures[0];
    },
    async remove(spec, links, { logger }) {
      const link = spec.logical ? links.find(({ name }) => name === spec.name) : findLink(links, spec.name);
      if (link === undefined || (await network.link(link.index)) === undefined) return;
      peersSet.delete(link.index);
      if (made.delete(link.index)) {
        await network.deleteLink(link.index);
        logger.info("deleted link", { link: link.name });
        return;
      }
      if (link.masterIndex !== 0 && joined.get(link.index) === link.masterIndex) {
        await network.changeLink(link.index, { masterIndex: 0 });
      }
      const former = formers.get(link.index);
      if (former !== undefined) await network.changeLink(link.index, former);
      joined.delete(link.index);
      formers.delete(link.index);
    },
  });
}

function isUp({ flags }: Link): boolean {
  return (flags & linkFlags.up) !== 0;
}

function isMulticast({ flags }: Link): boolean {
  return (flags & linkFlags.multicast) !== 0;
}

function lackingKind({ name, kind }: LinkSpecSpec, cause: unknown): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "network/no-link-kind",
    message: `Cannot create link "${name}": the kernel of this machine has no links of kind "${kind}"`,
    // The kernel's own words say the same once more, and the reason is a column of a table.
    details: { kernel: OsError.from(cause).message },
    next: "talosctl get networkproblems",
  });
}

function unknownKind({ name, kind }: LinkSpecSpec): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "network/unknown-link-kind",
    message: `Cannot create link "${name}": links of kind "${kind}" cannot be created`,
    next: "talosctl get networkproblems",
  });
}

function foreignLink({ name, kind }: LinkSpecSpec, link: Link): OsError {
  const actual = link.kind === "" ? "a network card" : `of kind "${link.kind}"`;
  return new OsError({
    kind: "failed-precondition",
    code: "network/link-exists",
    message: `Cannot create link "${name}" of kind "${kind}": a link of that name exists, is ${actual}, and was not made from the configuration`,
    next: `talosctl get link ${name} -o yaml`,
  });
}
