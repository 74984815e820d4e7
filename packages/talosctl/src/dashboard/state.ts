import { newNode, nodeName, type NodeView } from "./node-view.ts";
import type { MemberFacts } from "./sample.ts";

export type ScreenName = "summary" | "monitor";

/** Everything that the picture shows. */
export interface DashboardState {
  /** True on the console of the machine itself, which shows this one machine and cannot be left. */
  readonly ownConsole: boolean;
  /** Control planes first, then by name. */
  readonly nodes: readonly NodeView[];
  /** Address of the node that is looked at. */
  readonly selected: string;
  readonly screen: ScreenName;
  /** Rows scrolled: of the log from its end, of the processes from the first one. */
  readonly scroll: number;
  /** Name of the log that is shown: a service, or `kernel`. */
  readonly logSource: string;
  readonly logLines: readonly string[];
  /** Why the log cannot be followed; `undefined` while it can. */
  readonly logFailure: string | undefined;
}

/** Lines of the log that can be scrolled back to. */
const logLength = 2000;

export const kernelLog = "kernel";
const firstLog = "machined";

export function initialState(nodes: readonly NodeView[], ownConsole = false): DashboardState {
  return {
    ownConsole,
    nodes,
    selected: nodes[0]?.address ?? "",
    screen: "summary",
    scroll: 0,
    logSource: firstLog,
    logLines: [],
    logFailure: undefined,
  };
}

export function selectedNode({ nodes, selected }: DashboardState): NodeView | undefined {
  return nodes.find(({ address }) => address === selected) ?? nodes[0];
}

/**
 * Facts of a node that the picture has room for. A machine's own console is there day and night, and its summary does without the long
 * list of processes; elsewhere both screens have it at once.
 */
export function shownOf(
  { selected, screen, ownConsole }: DashboardState,
  address: string,
): { readonly withNetwork: boolean; readonly withProcesses: boolean } {
  const withNetwork = selected === address;
  return { withNetwork, withProcesses: withNetwork && (screen === "monitor" || !ownConsole) };
}

/** Logs of the node that is looked at, in the order in which they are gone through. */
export function logSources(state: DashboardState): readonly string[] {
  const services = (selectedNode(state)?.facts?.services ?? []).map(({ id }) => id);
  return [...new Set([firstLog, kernelLog, ...services])];
}

/** Replaces one node. */
export function withNode(state: DashboardState, address: string, change: (node: NodeView) => NodeView): DashboardState {
  return withNodes(
    state,
    state.nodes.map((node) => (node.address === address ? change(node) : node)),
  );
}

/** Replaces all nodes. The first of them is looked at when none was before. */
export function withNodes(state: DashboardState, nodes: readonly NodeView[]): DashboardState {
  const sorted = nodes.toSorted(byRoleAndName);
  return { ...state, nodes: sorted, selected: state.selected || (sorted[0]?.address ?? "") };
}

/**
 * Takes in what members say of each other. None is removed while the dashboard is open.
 *
 * @param addNew False when the person chose the nodes to show.
 */
export function withMembers(state: DashboardState, members: readonly MemberFacts[], addNew: boolean): DashboardState {
  const nodes = [...state.nodes];
  for (const member of members) {
    const index = nodes.findIndex((node) => isNode(node, member));
    const known = nodes[index];
    const address = member.addresses[0];
    if (known !== undefined) nodes[index] = { ...known, member };
    else if (addNew && address !== undefined) nodes.push(newNode(address, member));
  }
  return withNodes(state, nodes);
}

/** Adds lines to the log that is shown. What is scrolled to stays in place. */
export function withLogLines(state: DashboardState, lines: readonly string[]): DashboardState {
  const scroll = state.screen === "summary" && state.scroll > 0 ? state.scroll + lines.length : state.scroll;
  return { ...state, scroll, logFailure: undefined, logLines: [...state.logLines, ...lines].slice(-logLength) };
}

const isNode = (node: NodeView, member: MemberFacts): boolean =>
  member.addresses.includes(node.address) || (node.facts?.hostname ?? node.address) === member.hostname;

const isControlPlane = ({ member }: NodeView): boolean =>
  member?.machineType === "controlplane" || member?.machineType === "init";

function byRoleAndName(a: NodeView, b: NodeView): number {
  return (
    Number(isControlPlane(b)) - Number(isControlPlane(a)) ||
    nodeName(a).localeCompare(nodeName(b), "en", { numeric: true })
  );
}
