import { dirname } from "node:path";
import { kernelError } from "../ffi/errno.ts";
import type { FileLock, Files } from "../files/files.ts";
import type { MemoryPaths } from "./paths.ts";

export interface MemoryFiles extends Files {
  setAttribute(path: string, name: string, value: Buffer): void;
}

export function createMemoryFiles(paths: MemoryPaths): MemoryFiles {
  const attributes = new Map<string, Buffer>();
  const holders = new Map<string, { readonly shared: boolean; count: number }>();
  const waiting = new Set<() => void>();

  const tryLock = async (path: string, shared: boolean): Promise<FileLock | undefined> => {
    const held = holders.get(path);
    if (held !== undefined && !(held.shared && shared)) return undefined;
    const mine = held ?? { shared, count: 0 };
    mine.count += 1;
    holders.set(path, mine);
    paths.add(path);
    let open = true;
    return {
      path,
      async [Symbol.asyncDispose]() {
        if (!open) return;
        open = false;
        mine.count -= 1;
        if (mine.count > 0) return;
        holders.delete(path);
        for (const wake of waiting) wake();
      },
    };
  };

  return {
    tryLock: (path, { shared = false } = {}) => tryLock(path, shared),
    async lock(path, { shared = false, signal } = {}) {
      for (;;) {
        signal?.throwIfAborted();
        const lock = await tryLock(path, shared);
        if (lock !== undefined) return lock;
        signal?.throwIfAborted();
        const { promise, resolve } = Promise.withResolvers<void>();
        const wake = (): void => resolve();
        waiting.add(wake);
        signal?.addEventListener("abort", wake, { once: true });
        await promise;
        waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
      }
    },
    async makeFifo(path) {
      paths.require(dirname(path), "file", `make the pipe "${path}"`);
      paths.add(path);
    },
    getAttribute(path, name) {
      paths.require(path, "file", `read attribute "${name}" of "${path}"`);
      return attributes.get(`${path}\0${name}`);
    },
    setAttribute(path, name, value) {
      if (!paths.has(path))
        throw kernelError({ area: "file", action: `set attribute "${name}" of "${path}"`, errno: "ENOENT" });
      attributes.set(`${path}\0${name}`, value);
    },
  };
}
