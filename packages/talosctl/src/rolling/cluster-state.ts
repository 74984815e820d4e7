import { OsError, type Clock } from "@talos-ts/base";
import { parseKubeconfig } from "@talos-ts/kubernetes";
import { openResources } from "@talos-ts/machinery/client/resources";
import {
  createHealthSubject,
  nodesFromMembers,
  rollingChecks,
  runChecks,
  type ClusterNodes,
  type HealthSubject,
} from "@talos-ts/machinery/health";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { downloadKubeconfig } from "../session/download-kubeconfig.ts";
import type { Session } from "../session/session.ts";
import { checkQuorum } from "./check-quorum.ts";

/** The cluster that rolling work is done to: its nodes of the moment, and how well it is. */
export interface ClusterState {
  readonly nodes: ClusterNodes;
  isControlPlane(node: string): boolean;
  /** Forgets a node that was erased. */
  remove(node: string): void;
  /** Waits until all nodes are well. @throws {OsError} `health/not-healthy` */
  untilHealthy(signal: AbortSignal): Promise<void>;
  /** @throws {OsError} `rolling/not-healthy` unless all nodes are well, or become so within half a minute */
  requireHealthy(doing: string, node: string, signal: AbortSignal): Promise<void>;
  /** @throws {OsError} `rolling/quorum` unless every other member of etcd works; nothing for a worker */
  requireQuorum(doing: string, node: string, signal: AbortSignal): Promise<void>;
}

export interface ClusterStateOptions {
  readonly session: Session;
  /** Tells what is waited for. */
  readonly log: (line: string) => void;
  readonly clock: Clock;
}

/** A cluster that is well may have a check that fails for a moment. */
const patienceMs = 30_000;

/** Reads the members that the endpoint knows. */
export async function openClusterState({ session, log, clock }: ClusterStateOptions): Promise<ClusterState> {
  const { connection } = session;
  const members = await openResources(connection, undefined, [Member]).list(Member);
  let nodes = nodesFromMembers(members);
  const endpoint: Pick<Session, "all"> = { all: (service) => connection.service(service) };

  const check = async (signal: AbortSignal, checkTimeoutMs?: number): Promise<void> => {
    using subject: HealthSubject & Disposable = createHealthSubject({
      connection,
      nodes,
      access: async () => parseKubeconfig(await downloadKubeconfig(endpoint, signal)),
    });
    const report = (line: string): void => {
      if (!/: (?:\.\.\.|OK|SKIP)$/.test(line)) log(line);
    };
    await runChecks(rollingChecks, subject, {
      signal,
      clock,
      report,
      ...(checkTimeoutMs !== undefined && { checkTimeoutMs }),
    });
  };

  return {
    get nodes() {
      return nodes;
    },
    isControlPlane: (node) => nodes.controlPlanes.includes(node),
    remove(node) {
      const without = (all: readonly string[]): readonly string[] => all.filter((each) => each !== node);
      nodes = { controlPlanes: without(nodes.controlPlanes), workers: without(nodes.workers) };
    },
    untilHealthy: (signal) => check(signal),
    async requireHealthy(doing, node, signal) {
      await check(signal, patienceMs).catch((err: unknown) => {
        signal.throwIfAborted();
        const cause = OsError.from(err);
        throw new OsError({
          kind: "failed-precondition",
          code: "rolling/not-healthy",
          message: `Cannot ${doing} ${node}: the cluster is not healthy: ${cause.message}`,
          next: cause.next ?? "talosctl health",
          cause,
        });
      });
    },
    async requireQuorum(doing, node, signal) {
      if (nodes.controlPlanes.includes(node)) {
        await checkQuorum({ connection, controlPlanes: nodes.controlPlanes, node, doing, signal });
      }
    },
  };
}
