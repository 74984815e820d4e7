import { open } from "node:fs/promises";
import { isRecord } from "@talos-ts/base";
import { openBoltFile } from "./internal/bolt-file.ts";

/** A member of a cluster as the database of one of them has it. */
export interface DatabaseMember {
  readonly id: bigint;
  /** Empty until the member has started. */
  readonly name: string;
  readonly isLearner: boolean;
  readonly peerUrls: readonly string[];
}

/** Raft's part of the database of a member. The log may have more than what is applied here. */
export interface MemberDatabase {
  /** Last log entry that is applied. */
  readonly appliedIndex: bigint;
  /** Term of that entry. */
  readonly term: bigint;
  readonly members: readonly DatabaseMember[];
}

/**
 * Reads the members and the applied log entry from the database of a member that does not run. Keys are not read.
 *
 * @param path The file `member/snap/db` of a data directory.
 * @throws {OsError} `etcd/bad-snapshot`
 */
export async function readMemberDatabase(path: string): Promise<MemberDatabase> {
  await using file = await open(path, "r");
  const bolt = await openBoltFile(file);
  const numbers = new Map<string, bigint>();
  const members: DatabaseMember[] = [];
  for await (const { name, pairs } of bolt.buckets()) {
    const bucket = name.toString();
    if (bucket === "meta") {
      for await (const { key, value } of pairs) {
        if (value.length === 8) numbers.set(key.toString(), value.readBigUInt64BE());
      }
    }
    if (bucket === "members") {
      for await (const { key, value } of pairs) members.push(memberOf(key.toString(), value.toString()));
    }
  }
  return { appliedIndex: numbers.get("consistent_index") ?? 0n, term: numbers.get("term") ?? 0n, members };
}

/** The id is in the key: as a number in JSON it would lose its last digits. */
function memberOf(key: string, text: string): DatabaseMember {
  const found: unknown = JSON.parse(text);
  const { name, isLearner, peerURLs } = isRecord(found) ? found : {};
  return {
    id: BigInt(`0x${key}`),
    name: typeof name === "string" ? name : "",
    isLearner: isLearner === true,
    peerUrls: Array.isArray(peerURLs) ? peerURLs.filter((url) => typeof url === "string") : [],
  };
}
