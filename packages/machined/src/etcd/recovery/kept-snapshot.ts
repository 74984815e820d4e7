import { chown, link, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@talos-ts/base";
import { exists, writeDurably } from "@talos-ts/host";
import { paths, userIds } from "@talos-ts/machinery/constants";
import type { EtcdAccess } from "../dependencies.ts";
import type { EtcdClient } from "../etcd-client.ts";
import type { MemberFacts } from "./member-facts.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { recoveryFiles } from "./recovery-files.ts";

/** Saves the database of a throw-away etcd with what was read of it. The earlier snapshot is replaced once this one is whole. */
export async function keepSnapshot(
  { root }: EtcdAccess,
  client: EtcdClient,
  facts: MemberFacts,
  signal: AbortSignal,
): Promise<void> {
  const path = join(root, recoveryFiles.snapshot);
  const part = `${path}.part`;
  try {
    await using file = await open(part, "w", 0o600);
    for await (const bytes of readSnapshot(client, signal)) await file.writeFile(bytes);
    await file.sync();
  } catch (err) {
    await rm(part, { force: true });
    throw err;
  }
  // Facts of one and the snapshot of another must never be together.
  await rm(join(root, recoveryFiles.facts), { force: true });
  await rename(part, path);
  await writeDurably(join(root, recoveryFiles.facts), encode(facts), 0o600);
}

/** What the kept snapshot has; `undefined` when there is none. */
export async function readKeptFacts({ root }: EtcdAccess): Promise<MemberFacts | undefined> {
  if (!(await exists(join(root, recoveryFiles.snapshot)))) return undefined;
  try {
    return decode(await readFile(join(root, recoveryFiles.facts), "utf8"));
  } catch {
    return undefined;
  }
}

/** Puts the kept snapshot where a bootstrap takes it from; the kept one stays. */
export async function offerSnapshot({ root }: EtcdAccess): Promise<void> {
  const path = join(root, paths.etcdRecoverySnapshot);
  await rm(path, { force: true });
  await link(join(root, recoveryFiles.snapshot), path);
  if (process.getuid?.() === 0) await chown(path, userIds.etcd, userIds.etcd);
}

const bigintMark = "n";

function encode(facts: MemberFacts): string {
  return JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === "bigint" ? `${String(value)}${bigintMark}` : value,
  );
}

function decode(text: string): MemberFacts | undefined {
  const found: unknown = JSON.parse(text, (_key, value: unknown) =>
    typeof value === "string" && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
  return isRecord(found) && typeof found["revision"] === "bigint" ? (found as unknown as MemberFacts) : undefined;
}
