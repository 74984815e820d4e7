import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord, within } from "@talos-ts/base";
import { writeDurably } from "@talos-ts/host";
import { endpointHost, type ApiConnection } from "@talos-ts/machinery/client";
import type { TalosconfigFile } from "@talos-ts/machinery/talosconfig";

/** Endpoints that were learned of a cluster. */
export interface LearnedEndpoints {
  /** Addresses of the control plane machines. */
  readonly addresses: readonly string[];
  /** RFC 3339. */
  readonly learned: string;
}

/** Name of the file beside the talosconfig; the talosconfig itself has no place for it. */
const fileName = "endpoints.json";
/** Time for which learned endpoints are not asked for again, in ms. */
const freshMs = 3_600_000;
/** Longest time that learning may delay the end of a command, in ms. */
const timeoutMs = 2000;

/** Reports whether learning is on: `TALOSCTL_LEARN_ENDPOINTS=off` switches it off. */
export function learnsEndpoints(env: Readonly<Record<string, string | undefined>>): boolean {
  return env["TALOSCTL_LEARN_ENDPOINTS"] !== "off";
}

/** Reads what was learned through a context; `undefined` when nothing was, or when its CA is another one since. */
export async function readLearned(file: TalosconfigFile, context: string): Promise<LearnedEndpoints | undefined> {
  const value = (await readAll(file))[keyOf(file, context)];
  if (!isRecord(value) || typeof value["learned"] !== "string" || !Array.isArray(value["addresses"])) return undefined;
  return { learned: value["learned"], addresses: value["addresses"].filter((each) => typeof each === "string") };
}

/**
 * Asks the endpoint for the members of the cluster and keeps the addresses of control plane machines, at most once an hour. Never
 * fails: the command itself is over.
 */
export async function learnEndpoints(
  file: TalosconfigFile,
  context: string,
  connection: ApiConnection,
  now: Date,
): Promise<void> {
  try {
    const known = await readLearned(file, context);
    if (!file.location.writeAllowed) return;
    if (known !== undefined && Math.abs(now.getTime() - Date.parse(known.learned)) < freshMs) return;
    const listing = await within(controlPlanes(connection), timeoutMs);
    const addresses = listing.late ? [] : listing.value;
    if (addresses.length === 0) return;
    const learned: LearnedEndpoints = { addresses, learned: now.toISOString() };
    const all = { ...(await readAll(file)), [keyOf(file, context)]: learned };
    await writeDurably(pathOf(file), `${JSON.stringify(all, undefined, 2)}\n`, 0o600);
  } catch {
    // The next command tries again.
  }
}

/** Lists control planes; what that needs is loaded once an hour, not by every command. */
async function controlPlanes(connection: ApiConnection): Promise<readonly string[]> {
  const { openResources } = await import("@talos-ts/machinery/client/resources");
  const { Member } = await import("@talos-ts/machinery/resources/cluster");
  const members = await openResources(connection, undefined, [Member]).list(Member);
  return members
    .filter(({ spec }) => spec.machineType !== "worker")
    .flatMap(({ spec }) => spec.addresses.slice(0, 1))
    .toSorted();
}

/** Lists what is worth a try when no endpoint of the context can be reached: what was learned and is not among them. */
export function furtherEndpoints(
  endpoints: readonly string[],
  learned: LearnedEndpoints | undefined,
): readonly string[] {
  const own = new Set(endpoints.map(endpointHost));
  return (learned?.addresses ?? []).filter((address) => !own.has(address));
}

function pathOf({ location }: TalosconfigFile): string {
  return join(dirname(location.path), fileName);
}

/** A context that was made anew for another cluster must not lead to the old one. */
function keyOf({ config }: TalosconfigFile, context: string): string {
  const ca = config.contexts.get(context)?.ca ?? "";
  return `${context}@${createHash("sha256").update(ca).digest("hex").slice(0, 16)}`;
}

async function readAll(file: TalosconfigFile): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(pathOf(file), "utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
