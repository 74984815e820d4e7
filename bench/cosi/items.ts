import {
  createInMemoryState,
  createResource,
  createRuntime,
  transformController,
  wrapCore,
  type Logger,
  type Resource,
  type ResourceType,
  type Runtime,
  type State,
} from "@talos-ts/cosi";

export interface Item {
  readonly text: string;
  readonly count: number;
}

const links = 10;

function itemType(name: string): ResourceType<Item> {
  return {
    type: `${name}.bench.cosi.dev`,
    namespace: "bench",
    codec: {
      encode: (spec) => Buffer.from(JSON.stringify(spec)),
      decode: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as Item,
      toPlain: (spec) => spec,
    },
  };
}

const chainTypes = Array.from({ length: links + 1 }, (_, index) => itemType(`Items${index}`));
export const firstType = chainTypes[0] as ResourceType<Item>;
export const lastType = chainTypes[links] as ResourceType<Item>;
/** A type that no controller reads. */
export const otherType = itemType("Others");

/** The names are made beforehand, so that making them is not measured. */
const ids = Array.from({ length: 100_000 }, (_, index) => `item-${String(index).padStart(6, "0")}`);

export const itemId = (index: number): string => ids[index] as string;

export function newItem(id: string, count: number, type = firstType): Resource<Item> {
  return createResource(type, id, { text: `text of ${id}`, count });
}

export function newState(historyCapacity = 1024): State {
  return wrapCore(createInMemoryState({ historyCapacity }));
}

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

/** Ten controllers, each of which copies one type into the next. */
export function startChain(state: State): Runtime {
  const runtime = createRuntime({ state, logger: silent });
  for (let link = 1; link <= links; link += 1) {
    runtime.register(
      transformController({
        name: `bench.Link${link}Controller`,
        input: chainTypes[link - 1] as ResourceType<Item>,
        output: chainTypes[link] as ResourceType<Item>,
        transform: ({ spec }) => ({ text: spec.text, count: spec.count }),
      }),
    );
  }
  runtime.start();
  return runtime;
}
