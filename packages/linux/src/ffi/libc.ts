import type * as Ffi from "node:ffi";

/**
 * Every foreign function this package calls, with its C signature.
 *
 * Memory crosses the border only as Buffers (`pointer`): there are no structs, so a layout is visible where it is used.
 * Numbers of type `u64`/`i64` cross as bigint.
 */
export const signatures = {
  __errno_location: { arguments: [], return: "pointer" },
  adjtimex: { arguments: ["pointer"], return: "i32" },
  bind: { arguments: ["i32", "pointer", "u32"], return: "i32" },
  chroot: { arguments: ["pointer"], return: "i32" },
  clock_gettime: { arguments: ["i32", "pointer"], return: "i32" },
  clock_settime: { arguments: ["i32", "pointer"], return: "i32" },
  close: { arguments: ["i32"], return: "i32" },
  flock: { arguments: ["i32", "i32"], return: "i32" },
  getsockname: { arguments: ["i32", "pointer", "pointer"], return: "i32" },
  getsockopt: { arguments: ["i32", "i32", "i32", "pointer", "pointer"], return: "i32" },
  getxattr: { arguments: ["pointer", "pointer", "pointer", "u64"], return: "i64" },
  ioctl: { arguments: ["i32", "u64", "pointer"], return: "i32" },
  lgetxattr: { arguments: ["pointer", "pointer", "pointer", "u64"], return: "i64" },
  lseek: { arguments: ["i32", "i64", "i32"], return: "i64" },
  madvise: { arguments: ["u64", "u64", "i32"], return: "i32" },
  mkfifo: { arguments: ["pointer", "u32"], return: "i32" },
  mount: { arguments: ["pointer", "pointer", "pointer", "u64", "pointer"], return: "i32" },
  open: { arguments: ["pointer", "i32"], return: "i32" },
  pivot_root: { arguments: ["pointer", "pointer"], return: "i32" },
  prctl: { arguments: ["i32", "u64", "u64", "u64", "u64"], return: "i32" },
  prlimit64: { arguments: ["i32", "i32", "pointer", "pointer"], return: "i32" },
  reboot: { arguments: ["i32"], return: "i32" },
  recv: { arguments: ["i32", "pointer", "u64", "i32"], return: "i64" },
  recvmsg: { arguments: ["i32", "pointer", "i32"], return: "i64" },
  sendto: { arguments: ["i32", "pointer", "u64", "i32", "pointer", "u32"], return: "i64" },
  sethostname: { arguments: ["pointer", "u64"], return: "i32" },
  setns: { arguments: ["i32", "i32"], return: "i32" },
  setsockopt: { arguments: ["i32", "i32", "i32", "pointer", "u32"], return: "i32" },
  socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
  sync: { arguments: [], return: "void" },
  umount2: { arguments: ["pointer", "i32"], return: "i32" },
  unshare: { arguments: ["i32"], return: "i32" },
  syscall: { arguments: ["i64", "i64", "i64", "i64"], return: "i64" },
  sysconf: { arguments: ["i32"], return: "i64" },
  uv_close: { arguments: ["pointer", "pointer"], return: "void" },
  uv_handle_size: { arguments: ["i32"], return: "u64" },
  uv_poll_init: { arguments: ["pointer", "pointer", "i32"], return: "i32" },
  uv_poll_start: { arguments: ["pointer", "i32", "pointer"], return: "i32" },
  uv_poll_stop: { arguments: ["pointer"], return: "i32" },
  waitid: { arguments: ["i32", "u32", "pointer", "i32"], return: "i32" },
} as const;

export interface Libc {
  readonly functions: Ffi.WrappedFunctionsFromDefinitions<typeof signatures>;
  readonly library: Ffi.DynamicLibrary;
  readonly ffi: typeof Ffi;
  /** The calling thread's errno; meaningful only right after a call that failed. */
  readonly errno: () => number;
}

let loaded: Libc | undefined;

/** The C library of this process, loaded on first use so that an in-memory system never touches it. */
export function libc(): Libc {
  loaded ??= load();
  return loaded;
}

function load(): Libc {
  const ffi = process.getBuiltinModule("node:ffi");
  const library = new ffi.DynamicLibrary(null);
  const functions = library.getFunctions(signatures);
  const location = functions.__errno_location();
  return { functions, library, ffi, errno: () => ffi.getInt32(location, 0) };
}
