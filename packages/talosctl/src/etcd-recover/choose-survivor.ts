import { OsError } from "@talos-ts/base";
import { isReadable, type MemberReport } from "./member-report.ts";

/** The member whose data a new cluster begins with, and what that costs. */
export interface Choice {
  readonly survivor: MemberReport;
  /** Highest revision among the members that could be read. */
  readonly highest: number;
  /** Revisions up to the highest that the survivor lacks. */
  readonly lost: number;
  /** Members that vote and could not be read, by name. */
  readonly unread: readonly string[];
  /** True when the unread members could have acknowledged writes among themselves that no other member has. */
  readonly mayHaveMore: boolean;
  /** True when members with equal revisions have different data. */
  readonly corrupt: boolean;
  readonly warnings: readonly string[];
}

/** States in the order of preference between equal data: the fewer things have happened to it the better. */
const preference: readonly string[] = ["running", "waiting", "stopped", "snapshot"];

/**
 * Chooses the member with the highest revision. Of equal ones the data that most members have wins, then the higher term, the higher
 * log index, a member that runs, and the order of the list.
 *
 * @param wanted Node that a person has chosen instead.
 * @throws {OsError} `etcd/bad-survivor`, `etcd/different-clusters`
 */
export function chooseSurvivor(reports: readonly MemberReport[], wanted?: string): Choice {
  const candidates = reports.filter(isReadable);
  const survivor = wanted === undefined ? best(candidates) : find(reports, candidates, wanted);
  const peers = candidates.filter(({ cluster }) => cluster === survivor.cluster);
  const highest = Math.max(...peers.map(({ revision }) => revision));
  const differing = corruptPeers(peers);
  const { unread, mayHaveMore } = unreadMembers(peers);
  return {
    survivor,
    highest,
    lost: highest - survivor.revision,
    unread,
    mayHaveMore,
    corrupt: differing.length > 0,
    warnings: [
      ...differing,
      ...candidates
        .filter(({ cluster }) => cluster !== survivor.cluster)
        .map(({ node, cluster }) => `${node} has data of another cluster (${cluster}): its revisions say nothing here`),
    ],
  };
}

function best(candidates: readonly MemberReport[]): MemberReport {
  const clusters = new Set(candidates.map(({ cluster }) => cluster));
  if (clusters.size > 1) throw differentClusters(candidates);
  const order = candidates.toSorted(
    (a, b) =>
      b.revision - a.revision ||
      sharing(b, candidates) - sharing(a, candidates) ||
      b.term - a.term ||
      b.appliedIndex - a.appliedIndex ||
      preference.indexOf(a.state) - preference.indexOf(b.state),
  );
  const [first] = order;
  if (first === undefined) throw new RangeError("no member could be read");
  return first;
}

/** Number of members with the same data. */
function sharing(report: MemberReport, all: readonly MemberReport[]): number {
  return all.filter((other) => comparable(report, other) && other.hash === report.hash).length;
}

/** Hashes cover what is not compacted, so that both revisions must be equal. */
function comparable(a: MemberReport, b: MemberReport): boolean {
  return a.revision === b.revision && a.compactRevision === b.compactRevision;
}

function corruptPeers(peers: readonly MemberReport[]): readonly string[] {
  return peers.flatMap((a, index) =>
    peers
      .slice(index + 1)
      .filter((b) => comparable(a, b) && a.hash !== b.hash)
      .map(
        (b) =>
          `${a.node} and ${b.node} both have revision ${String(a.revision)}, with different data (hash ${a.hash} and ${b.hash}): one of them is corrupt`,
      ),
  );
}

/** A committed entry is in the logs of a majority: whoever is left can only miss it when a majority is unread. */
function unreadMembers(peers: readonly MemberReport[]): Pick<Choice, "unread" | "mayHaveMore"> {
  const [newest] = peers.toSorted((a, b) => b.appliedIndex - a.appliedIndex);
  const voters = (newest?.members ?? []).filter(({ learner }) => !learner);
  const read = new Set(peers.map(({ member }) => member));
  const unread = voters.filter(({ id }) => !read.has(id));
  return {
    unread: unread.map(({ id, name }) => (name === "" ? id : name)),
    mayHaveMore: unread.length > 0 && unread.length >= Math.floor(voters.length / 2) + 1,
  };
}

function find(reports: readonly MemberReport[], candidates: readonly MemberReport[], wanted: string): MemberReport {
  const named = ({ node, name }: MemberReport): boolean => node === wanted || name === wanted;
  const found = candidates.find(named);
  if (found !== undefined) return found;
  const reason = reports.find(named);
  throw new OsError({
    kind: "invalid-argument",
    code: "etcd/bad-survivor",
    message:
      reason === undefined
        ? `Cannot recover from ${wanted}: it is none of ${reports.map(({ node }) => node).join(", ")}`
        : `Cannot recover from ${wanted}: its data could not be read (${reason.state}${reason.error === "" ? "" : `: ${reason.error}`})`,
    next: "talosctl etcd recover --dry-run",
  });
}

function differentClusters(candidates: readonly MemberReport[]): OsError {
  const each = candidates.map(({ node, cluster, revision }) => `${node} ${cluster} revision ${String(revision)}`);
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/different-clusters",
    message: `Cannot choose a survivor: the members belong to different clusters, whose revisions cannot be compared: ${each.join(", ")}`,
    next: "talosctl etcd recover --survivor <node>",
  });
}
