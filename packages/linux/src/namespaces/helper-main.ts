/** Describes what the helper process is told. */
export interface HelperTask {
  readonly enter: readonly { readonly path: string; readonly flag: number }[];
  readonly unshare: number;
  /** The command must be a child to be in a pid namespace; otherwise the helper becomes it. */
  readonly fork: boolean;
  readonly makePrivate: boolean;
  readonly command: string;
  readonly arguments: readonly string[];
}

/** Describes what the helper reports when it could not get as far as the command. */
export interface HelperFailure {
  readonly step: string;
  readonly errno: number;
}

/**
 * Runs in the helper process: changes the namespaces of its main thread, then becomes the command.
 *
 * It is carried there as text (`node -e`), so it stands alone: no imports, nothing from around it. That keeps it working
 * when the sources are bundled into one file.
 */
export function helperMain(): void {
  const ffi = process.getBuiltinModule("node:ffi");
  const fs = process.getBuiltinModule("node:fs");
  const task = JSON.parse(process.argv[1] ?? "{}") as HelperTask;
  const library = new ffi.DynamicLibrary(null);
  const { __errno_location, setns, unshare, mount, signal, fcntl, execve } = library.getFunctions({
    __errno_location: { arguments: [], return: "pointer" },
    setns: { arguments: ["i32", "i32"], return: "i32" },
    unshare: { arguments: ["i32"], return: "i32" },
    mount: { arguments: ["pointer", "pointer", "pointer", "u64", "pointer"], return: "i32" },
    signal: { arguments: ["i32", "u64"], return: "u64" },
    fcntl: { arguments: ["i32", "i32", "i32"], return: "i32" },
    execve: { arguments: ["pointer", "pointer", "pointer"], return: "i32" },
  });
  const report = 3;
  // Methods, because a bundler that keeps names wraps every other named function in a helper that is not here.
  const tools = {
    fail(step: string, errno: number): never {
      fs.writeSync(report, JSON.stringify({ step, errno }));
      process.exit(125);
    },
    check(step: string, result: number): void {
      if (result < 0) tools.fail(step, ffi.getInt32(__errno_location(), 0));
    },
    text(value: string): Buffer {
      return Buffer.from(`${value}\0`);
    },
    vector(strings: readonly string[]): { readonly pointers: Buffer; readonly kept: readonly Buffer[] } {
      const kept = strings.map((string) => tools.text(string));
      const pointers = Buffer.alloc((kept.length + 1) * 8);
      for (const [index, bytes] of kept.entries()) pointers.writeBigUInt64LE(ffi.getRawPointer(bytes), index * 8);
      return { pointers, kept };
    },
  };
  fcntl(report, 2, 1); // F_SETFD, FD_CLOEXEC: the command must not hold the parent's pipe

  const CLONE_FS = 0x200;
  const descriptors = task.enter.map(({ path, flag }) => {
    try {
      return { fd: fs.openSync(path, "r"), path, flag };
    } catch (err) {
      return tools.fail(`open namespace "${path}"`, -((err as NodeJS.ErrnoException).errno ?? 0));
    }
  });
  // Threads share their view of the file system; a mount namespace can be entered only with a view of one's own.
  if (descriptors.length > 0) tools.check("separate the file system view", unshare(CLONE_FS));
  for (const { fd, path, flag } of descriptors) tools.check(`enter namespace "${path}"`, setns(fd, flag));
  for (const { fd } of descriptors) fs.closeSync(fd);
  if (task.unshare !== 0) tools.check("make namespaces", unshare(task.unshare));
  if (task.makePrivate) {
    const MS_REC_PRIVATE = 0x44000n;
    tools.check("make the mount tree private", mount(tools.text("none"), tools.text("/"), null, MS_REC_PRIVATE, null));
  }

  const candidates = task.command.includes("/")
    ? [task.command]
    : (process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin").split(":").map((folder) => `${folder}/${task.command}`);
  const file =
    candidates.find((candidate) => fs.existsSync(candidate)) ?? tools.fail(`find command "${task.command}"`, 2);

  if (task.fork) {
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(file, task.arguments, { stdio: "inherit" });
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) process.on(name, () => child.kill(name));
    child.once("error", (err: NodeJS.ErrnoException) => tools.fail(`run "${file}"`, -(err.errno ?? 0)));
    child.once("exit", (code, name) => {
      // How it ended is told in words: killing oneself with the same signal would need a handler to be taken off first.
      fs.writeSync(report, JSON.stringify({ exitCode: code ?? undefined, signal: name ?? undefined }));
      process.exit(code ?? 0);
    });
    return;
  }
  const argv = tools.vector([task.command, ...task.arguments]);
  const environment = tools.vector(Object.entries(process.env).map(([name, value]) => `${name}=${value ?? ""}`));
  // Node marks its standard streams to be closed by exec and ignores SIGPIPE; a command starts with both as usual.
  for (const fd of [0, 1, 2]) fcntl(fd, 2, 0);
  signal(13, 0n);
  execve(tools.text(file), argv.pointers, environment.pointers);
  tools.fail(
    `run "${file}" with ${String(argv.kept.length + environment.kept.length)} strings`,
    ffi.getInt32(__errno_location(), 0),
  );
}
