import {
  DependencyEdgeType as Kind,
  InspectService,
  type ControllerDependencyEdge,
} from "@talos-ts/proto/inspect/inspect";
import type { CommandDefinition } from "../command.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";

export const command: CommandDefinition = {
  description: "Shows which controllers read and write which resources, as a graph for the program `dot` of Graphviz.",
  examples: ["talosctl inspect dependencies | dot -Tsvg > controllers.svg"],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "inspect dependencies");
    const call = session.all(InspectService).controllerRuntimeDependencies({}, { signal: invocation.signal });
    const messages = await session.answers("getting controller runtime dependencies", call);
    invocation.io.out(renderGraph(messages.flatMap(({ edges }) => edges)));
  },
};

/** How each kind of dependency is drawn; inputs that only wait for an end would hide the others. */
const styles: Readonly<Partial<Record<Kind, { readonly style: string; readonly fromController: boolean }>>> = {
  [Kind.OUTPUT_EXCLUSIVE]: { style: "bold", fromController: true },
  [Kind.OUTPUT_SHARED]: { style: "solid", fromController: true },
  [Kind.INPUT_STRONG]: { style: "solid", fromController: false },
  [Kind.INPUT_WEAK]: { style: "dotted", fromController: false },
};

function renderGraph(edges: readonly ControllerDependencyEdge[]): string {
  const quote = (text: string): string => JSON.stringify(text);
  const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
  const controllers = unique(edges.map(({ controllerName }) => controllerName));
  const resources = unique(edges.map(({ resourceType }) => resourceType));
  const lines = edges.flatMap(({ controllerName, resourceType, resourceId, edgeType }) => {
    const drawn = styles[edgeType];
    if (drawn === undefined) return [];
    const [from, to] = drawn.fromController ? [controllerName, resourceType] : [resourceType, controllerName];
    const label = resourceId === "" || drawn.fromController ? "" : `label=${quote(resourceId)},`;
    return [`${quote(from)}->${quote(to)}[${label}style=${quote(drawn.style)}];`];
  });
  return [
    "digraph {",
    ...controllers.map((name) => `\t${quote(name)}[shape="box"];`),
    ...resources.map((name) => `\t${quote(name)}[fillcolor="azure2",shape="note",style="filled"];`),
    ...unique(lines).map((line) => `\t${line}`),
    "}",
    "",
  ].join("\n");
}
