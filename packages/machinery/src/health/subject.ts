import { createResourceRegistry, createStateClient, kindOf, wrapCore, type Resource, type State } from "@talos-ts/cosi";
import { createKubernetesClient, type KubernetesAccess, type KubernetesClient } from "@talos-ts/kubernetes";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { ApiConnection } from "../client/index.ts";
import { Member, type MemberSpec } from "../resources/cluster/index.ts";
import { StaticPodStatus } from "../resources/k8s/index.ts";
import { Diagnostic, MachineStatus } from "../resources/runtime/index.ts";
import type { HealthSubject } from "./check.ts";
import { unmet } from "./failure.ts";

/** Nodes of a cluster by address. */
export interface ClusterNodes {
  readonly controlPlanes: readonly string[];
  readonly workers: readonly string[];
}

/** Settings of the cluster under check. */
export interface HealthSubjectOptions {
  readonly connection: ApiConnection;
  readonly nodes: ClusterNodes;
  /** Access to Kubernetes; asked for when the first check needs it, and again after it could not be had. */
  readonly access: () => Promise<KubernetesAccess>;
}

/** A subject that asks nodes through one connection. Disposing closes what it opened to Kubernetes. */
export function createHealthSubject(options: HealthSubjectOptions): HealthSubject & Disposable {
  const { connection, nodes } = options;
  const registry = createResourceRegistry([Diagnostic, MachineStatus, Member, StaticPodStatus]);
  const states = new Map<string, State>();
  let client: Promise<KubernetesClient> | undefined;
  return {
    ...nodes,
    machine: (node) => connection.service(MachineService, { node }),
    resources(node) {
      const known = states.get(node);
      if (known !== undefined) return known;
      const state = wrapCore(
        createStateClient(connection.channel, { ...connection.clientOptions({ node }), registry }),
      );
      states.set(node, state);
      return state;
    },
    async kubernetes() {
      client ??= options.access().then((access) => createKubernetesClient({ access }));
      try {
        return await client;
      } catch (err) {
        client = undefined;
        throw err;
      }
    },
    [Symbol.dispose]() {
      void client?.then(
        (opened) => opened[Symbol.dispose](),
        () => undefined,
      );
    },
  };
}

/** The members that a node knows, sorted by what they are. @throws when there is no control plane among them */
export function nodesFromMembers(members: readonly Resource<MemberSpec>[]): ClusterNodes {
  const addressesOf = (wanted: (type: string) => boolean): readonly string[] =>
    members.filter(({ spec }) => wanted(spec.machineType)).flatMap(({ spec }) => spec.addresses.slice(0, 1));
  const isControlPlane = (type: string): boolean => type === "controlplane" || type === "init";
  const nodes = {
    controlPlanes: addressesOf(isControlPlane),
    workers: addressesOf((type) => !isControlPlane(type)),
  };
  if (nodes.controlPlanes.length > 0) return nodes;
  throw unmet(
    "no control plane nodes are known: discovery has found no members",
    "talosctl get members, or talosctl health --control-plane-nodes <addresses> --worker-nodes <addresses>",
  );
}

/** Members as one node of the connection knows them. */
export async function membersOf(state: State): Promise<readonly Resource<MemberSpec>[]> {
  return (await state.list(kindOf(Member))) as readonly Resource<MemberSpec>[];
}
