import { OsError } from "@talos-ts/base";
import { canonicalAddress, prefixContains, rangeOf } from "@talos-ts/base/net";
import type { AddressMover } from "./address-mover.ts";
import { createJsonApi, recordsOf, type JsonApi } from "./json-api.ts";

export interface ProviderOptions {
  readonly root: string;
  /** The shared address. */
  readonly ip: string;
  readonly apiToken: string;
  readonly url: string;
  readonly metadataUrl: string;
}

const privateRanges: ReadonlySet<string> = new Set(["private", "uniqueLocal"]);

/**
 * Moves an address of Hetzner Cloud: a private one as an alias IP of the server in its network, a public one as a floating IP.
 * A floating IP stays where it is until another machine takes it.
 */
export function hcloudMover({ root, ip, apiToken, url, metadataUrl }: ProviderOptions): AddressMover {
  const open = (signal: AbortSignal): JsonApi =>
    createJsonApi({ url, root, signal, headers: { authorization: `Bearer ${apiToken}` } });

  async function ownId(signal: AbortSignal): Promise<number> {
    const text = (await createJsonApi({ url: metadataUrl, root, signal }).text("/instance-id")).trim();
    if (/^\d+$/.test(text)) return Number(text);
    throw failure(`error getting instance-id id: expected a number, got ${JSON.stringify(text.slice(0, 40))}`);
  }

  const setAliases = (api: JsonApi, server: unknown, network: number, aliases: readonly string[]): Promise<unknown> =>
    api.call("POST", `/servers/${String(server)}/actions/change_alias_ips`, { network, alias_ips: aliases });

  async function moveAlias(api: JsonApi, device: number): Promise<void> {
    const network = await networkOf(api, device, ip);
    for (const server of await all(api, "servers")) {
      const attached = recordsOf(server["private_net"]).find((each) => each["network"] === network);
      if (server["id"] === device || !hasAlias(attached, ip)) continue;
      await setAliases(api, server["id"], network, []);
    }
    await setAliases(api, device, network, [ip]);
  }

  async function moveFloating(api: JsonApi, device: number): Promise<void> {
    const found = (await all(api, "floating_ips")).find((each) => sameAddress(String(each["ip"]), ip));
    if (found === undefined) {
      throw failure(`error assigning "${ip}" to server ${String(device)}: floating IP / alias IP is not found`);
    }
    await api.call("POST", `/floating_ips/${String(found["id"])}/actions/assign`, { server: device });
  }

  const isPrivate = privateRanges.has(rangeOf(ip));
  return {
    async acquire(signal) {
      const device = await ownId(signal);
      await (isPrivate ? moveAlias(open(signal), device) : moveFloating(open(signal), device));
    },
    async release(signal) {
      if (!isPrivate) return;
      const api = open(signal);
      const device = await ownId(signal);
      await setAliases(api, device, await networkOf(api, device, ip), []);
    },
  };
}

/** The network of the server that the address is of. */
async function networkOf(api: JsonApi, device: number, ip: string): Promise<number> {
  const { server } = await api.call("GET", `/servers/${String(device)}`);
  const attached = recordsOf([server]).flatMap((each) => recordsOf(each["private_net"]));
  for (const { network: id } of attached) {
    const { network } = await api.call("GET", `/networks/${String(id)}`);
    const range = recordsOf([network])[0]?.["ip_range"];
    if (typeof id === "number" && typeof range === "string" && prefixContains(range, ip)) return id;
  }
  throw failure(
    `trying to assign private vip (alias IP) "${ip}", but no private network of it is assigned to the server`,
  );
}

/** All pages of a list. */
async function all(api: JsonApi, name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const items: Readonly<Record<string, unknown>>[] = [];
  for (let page: unknown = 1; typeof page === "number";) {
    const answer = await api.call("GET", `/${name}?page=${String(page)}&per_page=50`);
    items.push(...recordsOf(answer[name]));
    const pagination = recordsOf([answer["meta"]]).flatMap((meta) => recordsOf([meta["pagination"]]));
    page = pagination[0]?.["next_page"];
  }
  return items;
}

function hasAlias(attached: Readonly<Record<string, unknown>> | undefined, ip: string): boolean {
  const aliases = attached?.["alias_ips"];
  return Array.isArray(aliases) && aliases.some((alias) => typeof alias === "string" && sameAddress(alias, ip));
}

/** A floating IPv6 address is a network in the API. */
function sameAddress(found: string, ip: string): boolean {
  const [address = ""] = found.split("/");
  return canonicalAddress(address) === canonicalAddress(ip);
}

function failure(message: string): OsError {
  return new OsError({ kind: "failed-precondition", code: "vip/provider", message });
}
