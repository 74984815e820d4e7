import { DependencyEdgeType as EdgeType, type ControllerDependencyEdge } from "@talos-ts/proto/inspect/inspect";

type Edge = Pick<ControllerDependencyEdge, "controllerName" | "edgeType" | "resourceType" | "resourceId">;

/** A resource as a node of the graph. */
export interface GraphResource {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  /** Controller that wrote it; empty when none did. */
  readonly owner: string;
}

/** Style of each kind of dependency. Destroy-ready inputs are left out: they would hide the others. */
const styles: Readonly<Partial<Record<EdgeType, { readonly style: string; readonly fromController: boolean }>>> = {
  [EdgeType.OUTPUT_EXCLUSIVE]: { style: "bold", fromController: true },
  [EdgeType.OUTPUT_SHARED]: { style: "solid", fromController: true },
  [EdgeType.INPUT_STRONG]: { style: "solid", fromController: false },
  [EdgeType.INPUT_WEAK]: { style: "dotted", fromController: false },
};

const quote = (text: string): string => JSON.stringify(text);
const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
const note = (name: string): string => `${quote(name)}[fillcolor="azure2",shape="note",style="filled"];`;
const digraph = (lines: readonly string[]): string =>
  ["digraph {", ...lines.map((line) => `\t${line}`), "}", ""].join("\n");

function controllers(edges: readonly Edge[]): readonly string[] {
  return unique(edges.map(({ controllerName }) => controllerName)).map((name) => `${quote(name)}[shape="box"];`);
}

/** Draws controllers and resource types in the language of Graphviz; arrows follow the data. */
export function renderTypeGraph(edges: readonly Edge[]): string {
  const arrows = edges.flatMap(({ controllerName, resourceType, resourceId, edgeType }) => {
    const drawn = styles[edgeType];
    if (drawn === undefined) return [];
    const [from, to] = drawn.fromController ? [controllerName, resourceType] : [resourceType, controllerName];
    const label = resourceId === "" || drawn.fromController ? "" : `label=${quote(resourceId)},`;
    return [`${quote(from)}->${quote(to)}[${label}style=${quote(drawn.style)}];`];
  });
  const types = unique(edges.map(({ resourceType }) => resourceType)).map(note);
  return digraph([...controllers(edges), ...types, ...unique(arrows)]);
}

/** Draws controllers and the resources that exist, grouped by type; an output leads to the resources that the controller owns. */
export function renderResourceGraph(edges: readonly Edge[], resources: readonly GraphResource[]): string {
  const byType = Map.groupBy(resources, ({ type }) => type);
  const nameOf = ({ namespace, type, id }: GraphResource): string => `${namespace}/${type}/${id}`;
  const groups = [...byType].flatMap(([type, members], index) =>
    [`subgraph cluster_s${String(index + 1)} {`, `\tlabel=${quote(type)};`].concat(
      members.map((each) => `\t${note(nameOf(each))}`),
      "}",
    ),
  );
  const arrows = edges.flatMap(({ controllerName, resourceType, resourceId, edgeType }) => {
    const drawn = styles[edgeType];
    if (drawn === undefined) return [];
    const style = drawn.style === "bold" ? "solid" : drawn.style;
    return (byType.get(resourceType) ?? [])
      .filter(
        ({ id, owner }) =>
          (resourceId === "" || id === resourceId) && (!drawn.fromController || owner === controllerName),
      )
      .map((each) => {
        const [from, to] = drawn.fromController ? [controllerName, nameOf(each)] : [nameOf(each), controllerName];
        return `${quote(from)}->${quote(to)}[style=${quote(style)}];`;
      });
  });
  return digraph([...controllers(edges), ...groups, ...unique(arrows)]);
}
