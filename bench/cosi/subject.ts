/** Measures our implementation; `peers/cosi/main.go` does the same with the Go one. Prints one JSON object. */
import assert from "node:assert/strict";
import { kindOf, pointerTo, type Resource } from "@talos-ts/cosi";
import { firstType, itemId, lastType, newItem, newState, otherType, startChain, type Item } from "./items.ts";
import type { Measured, Sizes } from "./sizes.ts";

async function rate(count: number, run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return (count * 1000) / (performance.now() - started);
}

async function fanOut({ watchers, watchEvents }: Sizes): Promise<number> {
  const state = newState(8192);
  let current = await state.create(newItem("watched", 0));
  const opened = await Promise.all(Array.from({ length: watchers }, () => state.watchKind(kindOf(firstType))));
  const readers = opened.map(async (watch) => {
    let seen = 0;
    for await (const events of watch) {
      for (const _ of events) seen += 1;
      if (seen === watchEvents) return;
    }
  });
  return await rate(watchers * watchEvents, async () => {
    for (let count = 1; count <= watchEvents; count += 1) {
      current = await state.update({ metadata: current.metadata, spec: { ...(current.spec as Item), count } });
    }
    await Promise.all(readers);
  });
}

async function trips({ trips: count }: Sizes): Promise<readonly number[]> {
  const state = newState();
  await using _ = startChain(state);
  await using watch = await state.watchKind(kindOf(lastType));
  const batches = watch[Symbol.asyncIterator]();
  const arrival = async (wanted: number): Promise<void> => {
    for (;;) {
      const { value } = await batches.next();
      for (const { resource } of value ?? []) {
        if (resource !== undefined && (resource.spec as Item).count === wanted) return;
      }
    }
  };
  let current = await state.create(newItem("traveller", 0));
  await arrival(0);
  const took: number[] = [];
  for (let trip = 1; trip <= count; trip += 1) {
    const started = performance.now();
    current = await state.update({ metadata: current.metadata, spec: { ...(current.spec as Item), count: trip } });
    await arrival(trip);
    took.push((performance.now() - started) * 1000);
  }
  return took.sort((a, b) => a - b);
}

async function chain({ chainItems }: Sizes): Promise<number> {
  const state = newState();
  await using _ = startChain(state);
  await using watch = await state.watchKind(kindOf(lastType));
  // Awaited here, as what is `using` above ends with this function.
  return await rate(chainItems * 10, async () => {
    for (let index = 0; index < chainItems; index += 1) await state.create(newItem(itemId(index), index));
    let seen = 0;
    for await (const events of watch) {
      for (const event of events) if (event.type === "created") seen += 1;
      if (seen === chainItems) return;
    }
  });
}

async function round(sizes: Sizes): Promise<Measured> {
  const state = newState();
  const pointer = (index: number): ReturnType<typeof pointerTo> =>
    pointerTo(firstType, itemId((index * 7919) % sizes.resources));
  const create = await rate(sizes.resources, async () => {
    for (let index = 0; index < sizes.resources; index += 1) await state.create(newItem(itemId(index), index));
  });
  const get = await rate(sizes.gets, async () => {
    for (let index = 0; index < sizes.gets; index += 1) await state.get(pointer(index));
  });
  const update = await rate(sizes.updates, async () => {
    for (let index = 0; index < sizes.updates; index += 1) {
      const { metadata, spec } = (await state.get(pointer(index))) as Resource<Item>;
      await state.update({ metadata, spec: { ...spec, count: -index - 1 } });
    }
  });
  const list = await rate(sizes.lists, async () => {
    for (let index = 0; index < sizes.lists; index += 1) {
      assert.equal((await state.list(kindOf(firstType))).length, sizes.resources);
    }
  });
  const fan = await fanOut(sizes);
  const took = await trips(sizes);
  const at = (part: number): number => took[Math.min(took.length - 1, Math.floor(part * took.length))] ?? 0;
  return { create, get, update, list, fanOut: fan, tripP50: at(0.5), tripP99: at(0.99), chain: await chain(sizes) };
}

/** Only the memory: a running chain and a filled state, nothing else happened before. */
async function memory({ resources }: Sizes): Promise<{ readonly rss: number }> {
  const state = newState();
  await using _ = startChain(state);
  for (let index = 0; index < resources; index += 1) await state.create(newItem(itemId(index), index, otherType));
  // With `--expose-gc`, what is left is what is held.
  globalThis.gc?.();
  return { rss: process.memoryUsage.rss() / 1024 ** 2 };
}

async function measure(sizes: Sizes): Promise<Measured> {
  // The first round warms up.
  await round(sizes);
  const rounds: Measured[] = [];
  for (let number = 0; number < sizes.rounds; number += 1) rounds.push(await round(sizes));
  const names = Object.keys(rounds[0] ?? {}) as (keyof Measured)[];
  const median = (name: keyof Measured): number =>
    rounds.map((one) => one[name]).sort((a, b) => a - b)[rounds.length >> 1] ?? 0;
  return Object.fromEntries(names.map((name) => [name, median(name)])) as unknown as Measured;
}

const sizes = JSON.parse(process.argv[2] ?? "{}") as Sizes;
console.log(JSON.stringify(sizes.rounds === 0 ? await memory(sizes) : await measure(sizes)));
