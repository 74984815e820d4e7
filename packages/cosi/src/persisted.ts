import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { systemClock, type Clock } from "@talos-ts/base";
import { isConflict, isNotFound } from "./errors.ts";
import { createWireCodec } from "./grpc/wire-resource.ts";
import { createJournal } from "./persisted/journal.ts";
import { openLogFile } from "./persisted/log-file.ts";
import { decodeChanges, encodeChanges, sizeOf, type Change } from "./persisted/record.ts";
import type { ResourceRegistry } from "./registry.ts";
import type { Pointer, Resource } from "./resource.ts";
import type { CoreState } from "./state.ts";
import { createCollections, type HistoryOptions } from "./state/collections.ts";
import { created, destroyable, updated } from "./state/transition.ts";

/** Settings of a persisted state. */
export interface PersistedStateOptions extends HistoryOptions {
  /** The log file; its directory is made when missing. One process may have it open. */
  readonly file: string;
  /** Types whose specs are decoded; others are kept as they came. */
  readonly registry: ResourceRegistry;
  /** @default {systemClock} */
  readonly clock?: Clock;
  /** Rewrite the file when it is larger than this and more than half of it is history. @default {262_144} */
  readonly compactBytes?: number;
}

/** An in-memory state that is written to a log on disk. Disposing closes the log. */
export interface PersistedState extends CoreState, AsyncDisposable {}

/**
 * A state on disk. A write resolves, and is seen by readers, when it would survive a power cut; writes that come at the
 * same time share one. Everything is also in memory, so reads cost what they cost there. Bookmarks end with the process.
 *
 * @throws {OsError} `cosi/log-corrupt`, `cosi/log-format`
 */
export async function createPersistedState(options: PersistedStateOptions): Promise<PersistedState> {
  const { file: path, registry, clock = systemClock, compactBytes = 262_144, ...history } = options;
  const codec = createWireCodec(registry);
  const collections = createCollections(history);
  /** The last change of each resource that is not written yet. */
  const ahead = new Map<string, Pending>();
  let liveBytes = 0;

  function apply({ op, resource }: Change): void {
    const collection = collections.of(resource.metadata);
    const old = collection.find(resource.metadata.id);
    if (old !== undefined) liveBytes -= sizeOf(codec, old);
    if (op === "delete") return collection.delete(resource);
    liveBytes += sizeOf(codec, resource);
    collection.put(resource);
  }

  await mkdir(dirname(path), { recursive: true });
  const file = await openLogFile(path, (body) => {
    for (const change of decodeChanges(codec, body)) {
      if (change.op === "put") apply(change);
      else apply({ op: "delete", resource: collections.of(change.pointer).get(change.pointer.id) });
    }
  });

  function forget(change: Change): void {
    const key = keyOf(change.resource.metadata);
    if (ahead.get(key)?.change === change) ahead.delete(key);
  }

  const journal = createJournal<Change>({
    file,
    encode: (changes) => encodeChanges(codec, changes),
    apply(change) {
      apply(change);
      forget(change);
    },
    discard: forget,
    compact() {
      if (file.size <= compactBytes || file.size <= 2 * liveBytes) return undefined;
      const live = [...collections.all()].flatMap((collection) => collection.list());
      return encodeChanges(
        codec,
        live.map((resource) => ({ op: "put", resource })),
      );
    },
  });

  /** Holds a change against what the resource will be, writes it down, and resolves when that is done. */
  async function write(
    pointer: Pointer,
    op: Change["op"],
    next: (current: Resource | undefined) => Resource,
  ): Promise<Resource> {
    const key = keyOf(pointer);
    for (;;) {
      const pending = ahead.get(key);
      const current = pending === undefined ? collections.of(pointer).find(pointer.id) : pending.resource;
      try {
        const resource = next(current);
        // A spec that cannot be written must fail alone, not with everything that goes into the same write.
        codec.encode(resource);
        const change: Change = { op, resource };
        const written = journal.write(change);
        ahead.set(key, { change, written, resource: op === "put" ? resource : undefined });
        await written;
        return resource;
      } catch (err) {
        if (pending === undefined || !isStateError(err)) throw err;
        // The reason is not visible yet. Whoever reads, learns of it and tries again must not do so in vain, and if it
        // was taken back there is no reason any more.
        if (await settled(pending.written)) throw err;
      }
    }
  }

  return {
    ...collections.reads,
    create: (resource, createOptions) =>
      write(resource.metadata, "put", (current) => created(current, resource, createOptions, clock.now())),
    update: (resource, updateOptions) =>
      write(resource.metadata, "put", (current) => updated(current, resource, updateOptions, clock.now())),
    async destroy(pointer, destroyOptions) {
      await write(pointer, "delete", (current) => destroyable(current, pointer, destroyOptions));
    },
    async [Symbol.asyncDispose]() {
      await journal[Symbol.asyncDispose]();
      await file[Symbol.asyncDispose]();
    },
  };
}

/** A change on its way to the disk. */
interface Pending {
  readonly change: Change;
  /** Resource as it will be; `undefined` when it will be gone. */
  readonly resource: Resource | undefined;
  readonly written: Promise<void>;
}

const isStateError = (error: unknown): boolean => isConflict(error) || isNotFound(error);

function settled(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

function keyOf({ namespace, type, id }: Pointer): string {
  return JSON.stringify([namespace, type, id]);
}
