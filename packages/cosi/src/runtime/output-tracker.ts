import type { Writer } from "../controller.ts";
import { isNotFound, isPendingFinalizers } from "../errors.ts";
import type { Kind, Pointer } from "../resource.ts";
import { listKind } from "./reader.ts";
import type { Scope } from "./scope.ts";

/** Remembers what a reconcile wrote, to remove what it did not write. */
export interface OutputTracker {
  start(): void;
  touch(pointer: Pointer): void;
  /** Removes own resources of these kinds that were not touched since `start`. */
  cleanup(writer: Writer, kinds: readonly Kind[]): Promise<void>;
}

export function createOutputTracker(scope: Scope): OutputTracker {
  let touched: Set<string> | undefined;

  return {
    start() {
      touched = new Set();
    },
    touch(pointer) {
      touched?.add(key(pointer));
    },
    async cleanup(writer, kinds) {
      for (const kind of kinds) {
        for (const { metadata } of await listKind(scope, kind)) {
          if (metadata.owner !== scope.name || touched?.has(key(metadata)) === true) continue;
          await removeOutput(writer, metadata);
        }
      }
      touched = undefined;
    },
  };
}

function key({ namespace, type, id }: Pointer): string {
  return `${namespace}\0${type}\0${id}`;
}

/**
 * Destroys an output that nobody holds, and tears down one that somebody does; whoever lets go last wakes the
 * controller if it has the kind as `destroy-ready` input. Resolves to whether the output is gone.
 */
export async function removeOutput(
  writer: Writer,
  output: Pointer & { readonly finalizers: readonly string[] },
): Promise<boolean> {
  try {
    if (output.finalizers.length > 0 && !(await writer.teardown(output))) return false;
    await writer.destroy(output);
    return true;
  } catch (err) {
    if (isNotFound(err)) return true;
    // Somebody took hold of it just now.
    if (isPendingFinalizers(err) && output.finalizers.length === 0) {
      return removeOutput(writer, { ...output, finalizers: ["unknown"] });
    }
    throw err;
  }
}
