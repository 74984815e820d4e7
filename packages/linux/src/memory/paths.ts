import { kernelError } from "../ffi/errno.ts";

/** The paths that exist in memory. */
export interface MemoryPaths {
  add(path: string): void;
  delete(path: string): void;
  has(path: string): boolean;
  /** @throws OsError ENOENT of the area */
  require(path: string, area: string, action: string): void;
}

export function createMemoryPaths(): MemoryPaths {
  const known = new Set<string>(["/"]);
  return {
    add: (path) => void known.add(path),
    delete: (path) => void known.delete(path),
    has: (path) => known.has(path),
    require(path, area, action) {
      if (!known.has(path)) throw kernelError({ area, action, errno: "ENOENT", details: { path } });
    },
  };
}
