import { OsError } from "@talos-ts/base";
import { chooseSurvivor, type Choice } from "./choose-survivor.ts";
import { isReadable, type MemberReport } from "./member-report.ts";

/** A node that is made a member of the cluster that has quorum. */
export interface Rejoining {
  readonly node: string;
  /** Its data belongs to another cluster, or cannot be read. */
  readonly discardData: boolean;
  readonly reason: string;
}

/** What can be done for a cluster. */
export type Assessment =
  /** There is quorum, and nothing that a recovery could do. */
  | { readonly kind: "quorum"; readonly notes: readonly string[] }
  /** There is quorum; some nodes are no members of it. */
  | {
      readonly kind: "rejoin";
      readonly cluster: string;
      /** A member with quorum. */
      readonly by: string;
      readonly rejoin: readonly Rejoining[];
      readonly notes: readonly string[];
    }
  /** Quorum is lost, one member begins anew. */
  | ({ readonly kind: "restore" } & Choice)
  | { readonly kind: "nothing-to-read" };

/**
 * Decides what to do from what was read of all nodes.
 *
 * @param survivor Node that a person has chosen. @default the best one
 * @throws {OsError} `etcd/two-clusters`, `etcd/bad-survivor` when the quorum is that of others, and as `chooseSurvivor`
 */
export function assess(reports: readonly MemberReport[], survivor?: string): Assessment {
  const leading = leadingMember(reports, survivor);
  if (leading === undefined) {
    if (!reports.some(isReadable)) return { kind: "nothing-to-read" };
    return { kind: "restore", ...chooseSurvivor(reports, survivor) };
  }
  const leads = (report: MemberReport): boolean => report.quorum && report.cluster === leading.cluster;
  // The data of a node that somebody wants to go on with must not be what is deleted.
  if (survivor !== undefined && !reports.some((report) => isNamed(report, survivor) && leads(report)))
    throw quorumOfOthers(survivor, leading);
  const others = reports.filter((report) => !leads(report));
  const judged = others.map((report) => judge(report, leading));
  const rejoin = judged.filter((each) => typeof each !== "string");
  const notes = judged.filter((each) => typeof each === "string");
  if (rejoin.length === 0) return { kind: "quorum", notes };
  return { kind: "rejoin", cluster: leading.cluster, by: leading.node, rejoin, notes };
}

/** A member with quorum. Two clusters have it when nodes of the former one came back after a recovery: only a person can choose. */
function leadingMember(reports: readonly MemberReport[], wanted: string | undefined): MemberReport | undefined {
  const leading = reports.filter(({ quorum }) => quorum);
  const clusters = new Set(leading.map(({ cluster }) => cluster));
  if (clusters.size <= 1) return leading[0];
  const chosen = leading.find((report) => wanted !== undefined && isNamed(report, wanted));
  if (chosen !== undefined) return chosen;
  const each = leading.map(({ node, cluster, revision }) => `${node} ${cluster} revision ${String(revision)}`);
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/two-clusters",
    message: `There are two clusters with quorum, one of which must end: ${each.join(", ")}`,
    next: "talosctl etcd recover --survivor <node of the cluster to keep>",
  });
}

function isNamed({ node, name }: MemberReport, wanted: string): boolean {
  return node === wanted || name === wanted;
}

function quorumOfOthers(survivor: string, { node, cluster }: MemberReport): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/bad-survivor",
    message: `Cannot recover from ${survivor}: it has no part in cluster ${cluster}, which has quorum (${node} answers), and would lose its data to it`,
    next: "talosctl etcd recover --dry-run, which shows what is done without --survivor",
  });
}

/** What is done about a node that has no part in the quorum, or a note why nothing is. */
function judge(report: MemberReport, { cluster, members }: MemberReport): Rejoining | string {
  const { node, state } = report;
  const isMember = report.cluster === cluster && members.some(({ id }) => id === report.member);
  const foreign =
    report.cluster !== cluster ? "its data belongs to another cluster" : "it was removed from the cluster";
  switch (state) {
    case "unreachable":
      return `${node} does not answer: ${report.error}`;
    case "empty":
    case "snapshot":
      return `${node} has no data and joins by itself (${report.service})`;
    case "unreadable":
      return { node, discardData: true, reason: report.error };
    case "stopped":
      return isMember
        ? { node, discardData: false, reason: "its etcd is stopped" }
        : { node, discardData: true, reason: foreign };
    default:
      return isMember
        ? `${node} is a member that does not reach the others (${report.service})`
        : { node, discardData: true, reason: foreign };
  }
}
