import type { Input, Output, QueueInput } from "../controller.ts";

/** Kind of an edge between a controller and a resource type in the dependency graph. */
export type EdgeKind = `output-${Output["kind"]}` | `input-${(Input | QueueInput)["kind"]}`;

/** One arrow between a controller and a resource kind, named as `inspect.ControllerDependencyEdge` names it. */
export interface DependencyEdge {
  readonly controllerName: string;
  readonly edgeKind: EdgeKind;
  /** Empty for outputs, which may go to any namespace. */
  readonly resourceNamespace: string;
  readonly resourceType: string;
  /** Empty when the edge is about every resource of the kind. */
  readonly resourceId: string;
}

interface EdgeFacts {
  /** Sorts edges for output. */
  readonly order: number;
  /** `inspect.DependencyEdgeType`, which knows no queue: its inputs show as what they amount to. */
  readonly inspectType: number;
  /** Graphviz attributes. */
  readonly style: string;
}

/** Direction and label of each kind of edge. */
export const edgeKinds: Readonly<Record<EdgeKind, EdgeFacts>> = {
  "output-exclusive": { order: 0, inspectType: 0, style: "style=bold" },
  "output-shared": { order: 1, inspectType: 3, style: "" },
  "input-strong": { order: 2, inspectType: 1, style: "" },
  "input-weak": { order: 2, inspectType: 2, style: "style=dashed" },
  "input-destroy-ready": { order: 2, inspectType: 4, style: "style=dotted" },
  "input-primary": { order: 2, inspectType: 1, style: "style=bold" },
  "input-mapped": { order: 2, inspectType: 2, style: "style=dashed" },
  "input-mapped-destroy-ready": { order: 2, inspectType: 4, style: "style=dotted" },
};

/** The graph in the language of `dot`: controllers as boxes, resource kinds as notes, arrows along the data. */
export function renderGraphviz(edges: readonly DependencyEdge[]): string {
  const controllers = new Set(edges.map((edge) => edge.controllerName));
  const types = new Set(edges.map((edge) => edge.resourceType));
  const lines = [
    "digraph {",
    "  rankdir=LR;",
    ...[...controllers].sort().map((name) => `  ${quote(name)} [shape=box];`),
    ...[...types].sort().map((type) => `  ${quote(type)} [shape=note];`),
    ...edges.map(renderEdge),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function renderEdge(edge: DependencyEdge): string {
  const controller = quote(edge.controllerName);
  const type = quote(edge.resourceType);
  const [from, to] = edge.edgeKind.startsWith("output-") ? [controller, type] : [type, controller];
  const label = edge.resourceId === "" ? "" : `label=${quote(edge.resourceId)}`;
  const attributes = [edgeKinds[edge.edgeKind].style, label].filter((part) => part !== "").join(",");
  return `  ${from} -> ${to}${attributes === "" ? "" : ` [${attributes}]`};`;
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
