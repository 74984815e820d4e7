import type { Writer } from "../controller.ts";
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
          await writer.remove(metadata);
        }
      }
      touched = undefined;
    },
  };
}

function key({ namespace, type, id }: Pointer): string {
  return `${namespace}\0${type}\0${id}`;
}
