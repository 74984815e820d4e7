import { isKind } from "@talos-ts/base";
import { listDefinitions, rawResources } from "@talos-ts/machinery/client/resources";
import { findDefinition } from "@talos-ts/machinery/resources";
import { InspectService } from "@talos-ts/proto/inspect/inspect";
import type { CommandDefinition } from "../command.ts";
import {
  renderResourceGraph,
  renderTypeGraph,
  resourceGraph,
  typeGraph,
  type GraphResource,
} from "../output/dependency-graph.ts";
import { renderSvg } from "../output/dependency-svg.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description:
    "Shows which controllers read and write which resources, as a graph: a picture, or the input of `dot` of Graphviz.",
  options: [
    { flags: "--with-resources", description: "draw the resources that exist instead of their types" },
    {
      flags: "--format <format>",
      description: "dot for Graphviz, or svg for a browser",
      choices: ["dot", "svg"],
      default: "dot",
    },
  ],
  examples: [
    "talosctl inspect dependencies --format svg > controllers.svg",
    "talosctl inspect dependencies | dot -Tsvg > controllers.svg",
    "talosctl inspect dependencies --with-resources | dot -Tsvg > resources.svg",
  ],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "inspect dependencies");
    const call = session.all(InspectService).controllerRuntimeDependencies({}, { signal: invocation.signal });
    const messages = await session.answers("getting controller runtime dependencies", call);
    const edges = messages.flatMap((message) => message.edges);
    const types = [...new Set(edges.map((edge) => edge.resourceType))];
    const resources = flag(invocation, "withResources") ? await listResources(session, types) : undefined;
    if (textOption(invocation, "format") === "svg") {
      invocation.io.out(renderSvg(resources === undefined ? typeGraph(edges) : resourceGraph(edges, resources)));
    } else {
      invocation.io.out(resources === undefined ? renderTypeGraph(edges) : renderResourceGraph(edges, resources));
    }
  },
};

/** Lists the resources of some types, each in its default namespace; types that the caller may not read stay empty. */
async function listResources(session: Session, types: readonly string[]): Promise<readonly GraphResource[]> {
  const resources = rawResources(session.connection, session.targets[0]);
  const definitions = await listDefinitions(resources);
  const found: GraphResource[] = [];
  for (const type of types) {
    const namespace = findDefinition(definitions, type).defaultNamespace;
    const listed = await resources.list({ namespace, type }).catch((err: unknown) => {
      if (isKind(err, "permission-denied")) return [];
      throw err;
    });
    found.push(...listed.map(({ metadata: { id, owner } }) => ({ namespace, type, id, owner })));
  }
  return found;
}
