import { equalSpecs } from "../equal.ts";
import {
  isAlreadyExists,
  isNotFound,
  isPendingFinalizers,
  isPhaseConflict,
  isVersionConflict,
  notFound,
  ownerConflict,
  phaseConflict,
} from "../errors.ts";
import type { Writer } from "../controller.ts";
import { createResource, pointerTo, type Labels, type Pointer, type Resource, type ResourceInit } from "../resource.ts";
import type { UpdateOptions } from "../state.ts";
import type { WriteOutcome } from "./kind-cache.ts";
import { readOne, readStored } from "./reader.ts";
import { checkOpen, type Scope } from "./scope.ts";

/** Writes what the scope allows, as owner; the shared cache learns of each write before it resolves. */
export function createWriter(scope: Scope, touched: (pointer: Pointer) => void): Writer {
  const owner = scope.name;

  async function begin(): Promise<void> {
    const turn = scope.turnstile.pass();
    if (turn !== undefined) await turn;
    checkOpen(scope);
  }

  /** Runs a write and tells the cache what came of it. */
  async function write<T>(pointer: Pointer, run: () => Promise<T>, outcome: (result: T) => WriteOutcome): Promise<T> {
    const finish = scope.hub.cache(pointer.namespace, pointer.type)?.beginWrite(pointer.id);
    let came: WriteOutcome = "unchanged";
    try {
      const result = await run();
      came = outcome(result);
      return result;
    } finally {
      finish?.(came);
    }
  }

  function create(resource: Resource): Promise<Resource> {
    return write(
      resource.metadata,
      () => scope.state.create(resource, { owner }),
      (stored) => stored,
    );
  }

  function update(resource: Resource): Promise<Resource> {
    return write(
      resource.metadata,
      () => scope.state.update(resource, { owner }),
      (stored) => (stored.metadata.version > resource.metadata.version ? stored : "unchanged"),
    );
  }

  /** Changes the metadata of a stored resource, whoever comes in between. */
  function amend(pointer: Pointer, change: (current: Resource) => Resource, options: UpdateOptions): Promise<Resource> {
    let base = 0;
    return write(
      pointer,
      () =>
        scope.state.updateWithConflicts(
          pointer,
          (current) => {
            base = current.metadata.version;
            return change(current);
          },
          options,
        ),
      (stored) => (stored.metadata.version > base ? stored : "unchanged"),
    );
  }

  async function changeFinalizers(
    pointer: Pointer,
    change: (current: readonly string[]) => readonly string[],
  ): Promise<void> {
    await begin();
    scope.access.checkFinalizer(pointer);
    const { namespace, type, id } = pointer;
    const current = await readOne(scope, namespace, type, id);
    const stored = current ?? (await readStored(scope, namespace, type, id));
    if (stored === undefined) throw notFound(pointer);
    // Finalizers belong to whoever sets them, so they may be changed on resources of other owners.
    const options: UpdateOptions = { owner: stored.metadata.owner, expectedPhase: "any" };
    await amend(
      pointer,
      (resource) => {
        const finalizers = change(resource.metadata.finalizers);
        const same = finalizers.length === resource.metadata.finalizers.length;
        return same ? resource : { ...resource, metadata: { ...resource.metadata, finalizers } };
      },
      options,
    );
  }

  const writer: Writer = {
    async create<S>(resource: Resource<S>) {
      await begin();
      scope.access.checkWrite("create", resource.metadata);
      touched(resource.metadata);
      return (await create(resource)) as Resource<S>;
    },
    async update<S>(resource: Resource<S>) {
      await begin();
      scope.access.checkWrite("update", resource.metadata);
      touched(resource.metadata);
      return (await update(resource)) as Resource<S>;
    },
    async modify(type, id, change, init = {}) {
      await begin();
      const namespace = init.namespace ?? type.namespace;
      const pointer = { namespace, type: type.type, id };
      scope.access.checkWrite("modify", pointer);
      touched(pointer);
      let current = (await readOne(scope, namespace, type.type, id)) as Resource<ReturnType<typeof change>> | undefined;
      for (;;) {
        try {
          if (current === undefined) {
            const made = createResource(type, id, change(undefined), init);
            return (await create(made)) as typeof made;
          }
          checkModifiable(current, owner);
          const next = amended(current, change(current.spec), init);
          return next === current ? current : ((await update(next)) as typeof next);
        } catch (err) {
          if (!isVersionConflict(err, pointer) && !isNotFound(err, pointer) && !isAlreadyExists(err, pointer))
            throw err;
          await begin();
          current = (await readStored(scope, namespace, type.type, id)) as typeof current;
        }
      }
    },
    async put(type, id, change, init = {}) {
      const pointer = pointerTo(type, id, init.namespace);
      for (;;) {
        try {
          return await writer.modify(type, id, change, init);
        } catch (err) {
          if (!isPhaseConflict(err, pointer)) throw err;
          if (!(await writer.remove(pointer))) return undefined;
        }
      }
    },
    async teardown(pointer) {
      await begin();
      scope.access.checkWrite("tear down", pointer);
      const stored = await amend(
        pointer,
        (resource) =>
          resource.metadata.phase === "tearingDown"
            ? resource
            : { ...resource, metadata: { ...resource.metadata, phase: "tearingDown" } },
        { owner, expectedPhase: "any" },
      );
      return stored.metadata.finalizers.length === 0;
    },
    async destroy(pointer) {
      await begin();
      scope.access.checkWrite("destroy", pointer);
      await write(
        pointer,
        () => scope.state.destroy(pointer, { owner }),
        () => "destroyed",
      );
    },
    async remove({ namespace, type, id, finalizers }) {
      const pointer = { namespace, type, id };
      try {
        if (finalizers?.length !== 0 && !(await writer.teardown(pointer))) return false;
        await writer.destroy(pointer);
        return true;
      } catch (err) {
        if (isNotFound(err, pointer)) return true;
        if (!isPendingFinalizers(err, pointer)) throw err;
        // Somebody took hold of it just now.
        return finalizers?.length === 0 && writer.remove(pointer);
      }
    },
    addFinalizer: (pointer, ...finalizers) =>
      changeFinalizers(pointer, (current) => [...new Set([...current, ...finalizers])]),
    async removeFinalizer(pointer, ...finalizers) {
      try {
        await changeFinalizers(pointer, (current) => current.filter((name) => !finalizers.includes(name)));
      } catch (err) {
        if (!isNotFound(err, { namespace: pointer.namespace, type: pointer.type, id: pointer.id })) throw err;
      }
    },
  };
  return writer;
}

/** The state would refuse too, but only when there is something to write; a controller should always hear of it. */
function checkModifiable(current: Resource, owner: string): void {
  const { metadata } = current;
  if (metadata.owner !== owner) throw ownerConflict(metadata, metadata.owner);
  if (metadata.phase !== "running") throw phaseConflict(metadata, "running");
}

function amended<S>(current: Resource<S>, spec: S, init: ResourceInit): Resource<S> {
  const labels = init.labels ?? current.metadata.labels;
  const annotations = init.annotations ?? current.metadata.annotations;
  const sameMetadata =
    sameLabels(labels, current.metadata.labels) && sameLabels(annotations, current.metadata.annotations);
  if (sameMetadata && equalSpecs(spec, current.spec)) return current;
  return { metadata: { ...current.metadata, labels, annotations }, spec };
}

function sameLabels(a: Labels, b: Labels): boolean {
  return a === b || equalSpecs(a, b);
}
