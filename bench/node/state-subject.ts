/**
 * The state of a node with many resources, and one who follows it.
 *
 * usage: state-subject.ts serve|follow <options as JSON>
 */
import { createInMemoryState, createResourceRegistry, createStateClient, kindOf, metaTypeInfos } from "@talos-ts/cosi";
import { namespaceType, registerResourceType, resourceDefinitionType, stateService, wrapCore } from "@talos-ts/cosi";
import { createChannel, createServer } from "@talos-ts/grpc";
import { maxMessageBytes } from "@talos-ts/machinery/constants";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { newItem, itemId, otherType, type Item } from "../cosi/items.ts";

interface Options {
  readonly socket: string;
  readonly resources: number;
  readonly watchers: number;
  readonly events: number;
}

const registry = createResourceRegistry([namespaceType, resourceDefinitionType, otherType]);

async function serve({ socket, resources }: Options): Promise<void> {
  const state = wrapCore(createInMemoryState({ historyCapacity: 8192 }));
  const about = { type: otherType.type, defaultNamespace: otherType.namespace };
  for (const info of [...metaTypeInfos, { ...about, printColumns: [{ name: "Text", jsonPath: "{.text}" }] }]) {
    await registerResourceType(state, info);
  }
  for (let index = 0; index < resources; index += 1) await state.create(newItem(itemId(index), index, otherType));
  const server = createServer().addService(StateService, stateService(state, { registry }));
  console.log((await server.listen({ unix: socket })).address);
  process.stdin.on("end", () => process.exit()).resume();
}

/** Changes one resource and waits until every watcher has seen every change; then reads all resources. */
async function follow({ socket, resources, watchers, events }: Options): Promise<void> {
  const limits = { maxReceiveBytes: maxMessageBytes };
  await using channel = createChannel({ target: `unix://${socket}`, ...limits });
  const state = createStateClient(channel, { registry });
  const opened = await Promise.all(Array.from({ length: watchers }, () => state.watchKind(kindOf(otherType))));
  const readers = opened.map(async (watch) => {
    let seen = 0;
    for await (const batch of watch) {
      seen += batch.length;
      if (seen >= events) return;
    }
  });
  const started = performance.now();
  let current = await state.get({ ...kindOf(otherType), id: itemId(0) });
  for (let count = 1; count <= events; count += 1) {
    current = await state.update({ metadata: current.metadata, spec: { ...(current.spec as Item), count } });
  }
  await Promise.all(readers);
  const eventsPerSecond = (watchers * events * 1000) / (performance.now() - started);
  const before = performance.now();
  const found = await state.list(kindOf(otherType));
  if (found.length !== resources) throw new Error(`Listed ${String(found.length)} of ${String(resources)} resources`);
  console.log(JSON.stringify({ eventsPerSecond, listMs: performance.now() - before }));
  process.exit();
}

const programs: Readonly<Record<string, (options: Options) => Promise<void>>> = { serve, follow };
const [name = "", options = ""] = process.argv.slice(2);
await programs[name]?.(JSON.parse(options) as Options);
