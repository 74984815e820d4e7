import { OsError } from "@talos-ts/base";
import { createHealthSubject, membersOf, nodesFromMembers, type ClusterNodes } from "@talos-ts/machinery/health";
import type { Invocation, OptionDefinition } from "../command.ts";
import { listOption, textOption } from "../values.ts";
import type { Session } from "./session.ts";

/** Flags of commands that work on a whole cluster: its nodes, where discovery does not know them. */
export const clusterNodeOptions: readonly OptionDefinition[] = [
  {
    flags: "--control-plane-nodes <addresses>",
    description: "control plane nodes instead of those discovered",
    list: true,
  },
  { flags: "--worker-nodes <addresses>", description: "worker nodes instead of those discovered", list: true },
  { flags: "--init-node <address>", description: "one more control plane node" },
];

/** Reads the nodes that the flags name. */
export function givenNodes(invocation: Invocation): ClusterNodes {
  const init = textOption(invocation, "initNode");
  return {
    controlPlanes: [...(init === undefined ? [] : [init]), ...listOption(invocation, "controlPlaneNodes")],
    workers: listOption(invocation, "workerNodes"),
  };
}

/** Returns the nodes that the flags name, else those that the first node of the session knows as members. */
export async function clusterNodes(session: Session, given: ClusterNodes): Promise<ClusterNodes> {
  if (given.controlPlanes.length + given.workers.length > 0) return given;
  using subject = createHealthSubject({
    connection: session.connection,
    nodes: { controlPlanes: [], workers: [] },
    access: () => Promise.reject(new OsError({ kind: "internal", message: "not needed to list members" })),
  });
  return nodesFromMembers(await membersOf(subject.resources(session.nodes[0] ?? "")));
}
