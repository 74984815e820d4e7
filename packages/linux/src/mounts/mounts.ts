import type { MountInfo } from "./mountinfo.ts";

/** Arguments of mount(2). */
export interface MountRequest {
  /** Device, or any word for file systems without one. */
  readonly source: string;
  readonly target: string;
  /** File system type, such as `tmpfs`. */
  readonly type: string;
  /** Option names as in fstab: `ro`, `nosuid`, `size=64m`. What is no flag goes to the file system as data. */
  readonly options?: readonly string[];
}

/** Flags of umount2(2). */
export interface UnmountOptions {
  /** Take it out of the tree now, clean up when it is no longer busy. @default {false} */
  readonly detach?: boolean;
  /** @default {false} */
  readonly force?: boolean;
  /** Refuse a target that is a symbolic link. @default {true} */
  readonly noFollow?: boolean;
}

/** Describes where mount events travel: `shared` both ways, `slave` only in, `private` nowhere, `unbindable` cannot be bound. */
export type Propagation = "shared" | "slave" | "private" | "unbindable";

/** Sizes of a file system, from statfs(2), in bytes and inodes. */
export interface FileSystemStats {
  /** Magic number of the file system type. */
  readonly type: bigint;
  readonly blockSize: bigint;
  readonly blocks: bigint;
  readonly blocksFree: bigint;
  readonly blocksAvailable: bigint;
  readonly files: bigint;
  readonly filesFree: bigint;
}

/** The mount tree of this process's mount namespace. Errors have codes `mount/<errno>`. */
export interface Mounts {
  mount(request: MountRequest): Promise<void>;
  unmount(target: string, options?: UnmountOptions): Promise<void>;
  /** Shows `source` at `target` too; flags in `options` take effect as well (the kernel needs a second call for them). */
  bind(
    source: string,
    target: string,
    options?: { readonly recursive?: boolean; readonly options?: readonly string[] },
  ): Promise<void>;
  /** Changes the flags of a mount. `bind` changes this mount point only, not the file system behind it. */
  remount(target: string, options: readonly string[], how?: { readonly bind?: boolean }): Promise<void>;
  move(source: string, target: string): Promise<void>;
  setPropagation(target: string, propagation: Propagation, how?: { readonly recursive?: boolean }): Promise<void>;
  /** Makes `newRoot` the root of the namespace and shows the old one at `oldRoot`, which lies below `newRoot`. */
  pivotRoot(newRoot: string, oldRoot: string): Promise<void>;
  list(): Promise<readonly MountInfo[]>;
  statfs(path: string): Promise<FileSystemStats>;
}
