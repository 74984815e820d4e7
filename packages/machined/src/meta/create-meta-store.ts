import {
  createResource,
  findTyped,
  isNotFound,
  listTyped,
  pointerTo,
  updateTyped,
  watchForTyped,
  type State,
} from "@talos-ts/cosi";
import { metaKeyId, systemVolumes } from "@talos-ts/machinery/constants";
import { VolumeStatus, type VolumeStatusSpec } from "@talos-ts/machinery/resources/block";
import { MetaKey } from "@talos-ts/machinery/resources/runtime";
import type { MetaStore } from "../meta-store.ts";
import { encodeMetaCopy, type MetaValues } from "./meta-codec.ts";
import { openMetaDevice, readMetaPartition, writeMetaPartition, type OpenMetaDevice } from "./meta-partition.ts";

/** Phases in which it is settled whether there is a partition. */
const settled: ReadonlySet<string> = new Set(["ready", "missing"]);

/** Keeps META on the partition of that name. One operation at a time: what is in memory is what was written last. */
export function createMetaStore(state: State, open: OpenMetaDevice = openMetaDevice): MetaStore {
  let values: MetaValues = new Map();
  /** Path of the partition whose values are in memory. */
  let loadedFrom: string | undefined;
  /** True while memory has values that the partition has not. */
  let unsaved = false;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };

  /** Path of the partition, whose values are in memory then; `undefined` on a machine that is not installed. */
  const join = async (signal: AbortSignal): Promise<string | undefined> => {
    const path = await partitionPath(state, signal);
    if (path === undefined || path === loadedFrom) return path;
    await using device = await open(path);
    values = new Map([...(await readMetaPartition(device)), ...values]);
    loadedFrom = path;
    await publish(state, values);
    return path;
  };

  const save = async (path: string | undefined, next: MetaValues): Promise<void> => {
    if (path === undefined) {
      // What will not fit on the partition is refused now, not when the machine is installed.
      encodeMetaCopy(next);
    } else {
      await using device = await open(path);
      await writeMetaPartition(device, next);
    }
    unsaved = path === undefined;
    values = next;
    await publish(state, values);
  };

  return {
    load: (signal) => inTurn(async () => void (await join(signal))),
    flush: (signal) =>
      inTurn(async () => {
        const path = await join(signal);
        if (unsaved && path !== undefined) await save(path, values);
      }),
    write: (key, value, signal) =>
      inTurn(async () => {
        const path = await join(signal);
        await save(path, new Map([...values, [key, value]]));
      }),
    delete: (key, signal) =>
      inTurn(async () => {
        const path = await join(signal);
        if (!values.has(key)) return false;
        await save(path, new Map([...values].filter(([each]) => each !== key)));
        return true;
      }),
  };
}

async function partitionPath(state: State, signal: AbortSignal): Promise<string | undefined> {
  const test = ({ spec }: { readonly spec: VolumeStatusSpec }): boolean => settled.has(spec.phase);
  const { spec } = await watchForTyped(state, VolumeStatus, systemVolumes.meta, { test }, { signal });
  return spec.phase === "ready" ? spec.mountLocation : undefined;
}

/** Shows the values as resources; bytes that are no text show as such. */
async function publish(state: State, values: MetaValues): Promise<void> {
  for (const [key, value] of values) {
    const [id, spec] = [metaKeyId(key), MetaKey.spec({ value: value.toString() })];
    if ((await findTyped(state, MetaKey, id)) === undefined) await state.create(createResource(MetaKey, id, spec));
    else await updateTyped(state, MetaKey, id, () => spec);
  }
  const ids = new Set([...values.keys()].map(metaKeyId));
  for (const { metadata } of await listTyped(state, MetaKey)) {
    if (!ids.has(metadata.id)) await state.destroy(pointerTo(MetaKey, metadata.id)).catch(ignoreAbsent);
  }
}

function ignoreAbsent(err: unknown): void {
  if (!isNotFound(err)) throw err;
}
