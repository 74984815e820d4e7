/** Kinds of namespaces by the names of their files in /proc/<pid>/ns. */
export const namespaceKinds = {
  cgroup: { flag: 0x02000000, file: "cgroup" },
  ipc: { flag: 0x08000000, file: "ipc" },
  mount: { flag: 0x00020000, file: "mnt" },
  network: { flag: 0x40000000, file: "net" },
  pid: { flag: 0x20000000, file: "pid" },
  user: { flag: 0x10000000, file: "user" },
  uts: { flag: 0x04000000, file: "uts" },
} as const;

export type NamespaceKind = keyof typeof namespaceKinds;

/** A command and the namespaces it runs in (setns(2), unshare(2)). */
export interface NamespaceCommand {
  /** Namespaces to enter, by their files (`/proc/<pid>/ns/net`). */
  readonly enter?: Readonly<Partial<Record<NamespaceKind, string>>>;
  /** New namespaces to make. A new mount namespace is made private, so that nothing leaks out of it. */
  readonly unshare?: readonly NamespaceKind[];
  /** A path, or a name to look for in PATH after the namespaces have changed. */
  readonly command: string;
  readonly arguments?: readonly string[];
  /** @default the environment of this process */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Kills the command. */
  readonly signal?: AbortSignal;
}

/** Exit status and output of a command. */
export interface CommandResult {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Work in other namespaces.
 *
 * A namespace belongs to a thread, and Node works with many: entering one in this process would leave half of it behind.
 * So commands run in processes of their own. Errors have codes `namespace/<errno>`.
 */
export interface Namespaces {
  /** Runs a command to its end; a command that fails is a result, not an error. */
  run(command: NamespaceCommand): Promise<CommandResult>;
  /** Makes a network namespace with its loopback up that lives at `path` until it is removed. */
  createNetwork(path: string): Promise<void>;
  removeNetwork(path: string): Promise<void>;
}
