/** Flags of mount(2). */
export const mountFlags = {
  MS_RDONLY: 1n,
  MS_NOSUID: 2n,
  MS_NODEV: 4n,
  MS_NOEXEC: 8n,
  MS_SYNCHRONOUS: 16n,
  MS_REMOUNT: 32n,
  MS_MANDLOCK: 64n,
  MS_DIRSYNC: 128n,
  MS_NOSYMFOLLOW: 256n,
  MS_NOATIME: 1024n,
  MS_NODIRATIME: 2048n,
  MS_BIND: 4096n,
  MS_MOVE: 8192n,
  MS_REC: 16384n,
  MS_SILENT: 32768n,
  MS_UNBINDABLE: 1n << 17n,
  MS_PRIVATE: 1n << 18n,
  MS_SLAVE: 1n << 19n,
  MS_SHARED: 1n << 20n,
  MS_RELATIME: 1n << 21n,
  MS_I_VERSION: 1n << 23n,
  MS_STRICTATIME: 1n << 24n,
  MS_LAZYTIME: 1n << 25n,
} as const satisfies Record<string, bigint>;

const {
  MS_RDONLY,
  MS_NOSUID,
  MS_NODEV,
  MS_NOEXEC,
  MS_SYNCHRONOUS,
  MS_MANDLOCK,
  MS_DIRSYNC,
  MS_NOSYMFOLLOW,
  MS_NOATIME,
  MS_NODIRATIME,
  MS_BIND,
  MS_REC,
  MS_SILENT,
  MS_RELATIME,
  MS_STRICTATIME,
  MS_LAZYTIME,
} = mountFlags;

interface FlagChange {
  readonly set?: bigint;
  readonly clear?: bigint;
}

/** Option names that are flags; every other name is data for the file system. */
const flagOptions: Readonly<Record<string, FlagChange>> = {
  async: { clear: MS_SYNCHRONOUS },
  atime: { clear: MS_NOATIME },
  bind: { set: MS_BIND },
  defaults: {},
  dev: { clear: MS_NODEV },
  diratime: { clear: MS_NODIRATIME },
  dirsync: { set: MS_DIRSYNC },
  exec: { clear: MS_NOEXEC },
  lazytime: { set: MS_LAZYTIME },
  loud: { clear: MS_SILENT },
  mand: { set: MS_MANDLOCK },
  noatime: { set: MS_NOATIME },
  nodev: { set: MS_NODEV },
  nodiratime: { set: MS_NODIRATIME },
  noexec: { set: MS_NOEXEC },
  nolazytime: { clear: MS_LAZYTIME },
  nomand: { clear: MS_MANDLOCK },
  norelatime: { clear: MS_RELATIME },
  nostrictatime: { clear: MS_STRICTATIME },
  nosuid: { set: MS_NOSUID },
  nosymfollow: { set: MS_NOSYMFOLLOW },
  rbind: { set: MS_BIND | MS_REC },
  relatime: { set: MS_RELATIME },
  ro: { set: MS_RDONLY },
  rw: { clear: MS_RDONLY },
  silent: { set: MS_SILENT },
  strictatime: { set: MS_STRICTATIME },
  suid: { clear: MS_NOSUID },
  symfollow: { clear: MS_NOSYMFOLLOW },
  sync: { set: MS_SYNCHRONOUS },
};

/** Mount options split into flags of mount(2) and data for the file system. */
export interface ParsedMountOptions {
  readonly flags: bigint;
  /** Options of the file system, joined by commas. */
  readonly data: string;
}

/** Splits option names into flags and data; a later name wins over an earlier one. A name may hold several, by commas. */
export function parseMountOptions(options: readonly string[]): ParsedMountOptions {
  let flags = 0n;
  const data: string[] = [];
  for (const name of options.flatMap((option) => option.split(","))) {
    if (name === "") continue;
    const change = Object.hasOwn(flagOptions, name) ? flagOptions[name] : undefined;
    if (change === undefined) data.push(name);
    else flags = (flags | (change.set ?? 0n)) & ~(change.clear ?? 0n);
  }
  return { flags, data: data.join(",") };
}

const shown: readonly (readonly [bigint, string])[] = [
  [MS_NOSUID, "nosuid"],
  [MS_NODEV, "nodev"],
  [MS_NOEXEC, "noexec"],
  [MS_NOATIME, "noatime"],
  [MS_NODIRATIME, "nodiratime"],
  [MS_RELATIME, "relatime"],
  [MS_NOSYMFOLLOW, "nosymfollow"],
];

/** The options of a mount point in the words and order of mountinfo. */
export function formatMountFlags(flags: bigint): readonly string[] {
  return [
    (flags & MS_RDONLY) === 0n ? "rw" : "ro",
    ...shown.filter(([flag]) => (flags & flag) !== 0n).map(([, name]) => name),
  ];
}
