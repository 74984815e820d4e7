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

/** An arrow of the graph; it follows the data. */
export interface GraphArrow {
  readonly from: string;
  readonly to: string;
  /** As Graphviz names it: `bold` for exclusive outputs, `dotted` for weak inputs. */
  readonly style: string;
  readonly label: string;
}

/** A node of the graph: a controller, or a resource type or resource. */
export interface GraphNode {
  readonly name: string;
  readonly controller: boolean;
}

/** Controllers, what they read and write, and the arrows between them. */
export interface DependencyGraph {
  readonly nodes: readonly GraphNode[];
  readonly arrows: readonly GraphArrow[];
}

const controllerNodes = (edges: readonly Edge[]): readonly GraphNode[] =>
  unique(edges.map(({ controllerName }) => controllerName)).map((name) => ({ name, controller: true }));

/** The graph of controllers and resource types. */
export function typeGraph(edges: readonly Edge[]): DependencyGraph {
  const arrows = edges.flatMap(({ controllerName, resourceType, resourceId, edgeType }): GraphArrow[] => {
    const drawn = styles[edgeType];
    if (drawn === undefined) return [];
    const [from, to] = drawn.fromController ? [controllerName, resourceType] : [resourceType, controllerName];
    return [{ from, to, style: drawn.style, label: drawn.fromController ? "" : resourceId }];
  });
  const types = unique(edges.map(({ resourceType }) => resourceType)).map((name) => ({ name, controller: false }));
  return { nodes: [...controllerNodes(edges), ...types], arrows };
}

const nameOf = ({ namespace, type, id }: GraphResource): string => `${namespace}/${type}/${id}`;

/** The graph of controllers and the resources that exist; an output leads to the resources that the controller owns. */
export function resourceGraph(edges: readonly Edge[], resources: readonly GraphResource[]): DependencyGraph {
  const byType = Map.groupBy(resources, ({ type }) => type);
  const arrows = edges.flatMap(({ controllerName, resourceType, resourceId, edgeType }): GraphArrow[] => {
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
        return { from, to, style, label: "" };
      });
  });
  const nodes = resources.map((each) => ({ name: nameOf(each), controller: false }));
  return { nodes: [...controllerNodes(edges), ...nodes], arrows };
}

const dotArrow = ({ from, to, style, label }: GraphArrow): string =>
  `${quote(from)}->${quote(to)}[${label === "" ? "" : `label=${quote(label)},`}style=${quote(style)}];`;

/** Draws controllers and resource types in the language of Graphviz. */
export function renderTypeGraph(edges: readonly Edge[]): string {
  const types = unique(edges.map(({ resourceType }) => resourceType)).map(note);
  return digraph([...controllers(edges), ...types, ...unique(typeGraph(edges).arrows.map(dotArrow))]);
}

/** Draws controllers and the resources that exist, grouped by type, in the language of Graphviz. */
export function renderResourceGraph(edges: readonly Edge[], resources: readonly GraphResource[]): string {
  const groups = [...Map.groupBy(resources, ({ type }) => type)].flatMap(([type, members], index) =>
    [`subgraph cluster_s${String(index + 1)} {`, `\tlabel=${quote(type)};`].concat(
      members.map((each) => `\t${note(nameOf(each))}`),
      "}",
    ),
  );
  return digraph([...controllers(edges), ...groups, ...unique(resourceGraph(edges, resources).arrows.map(dotArrow))]);
}
