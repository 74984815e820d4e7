/** The part of the root file system that comes from no package. Paths are relative to the root; pure data. */
export interface Skeleton {
  readonly directories: Readonly<Record<string, number>>;
  readonly files: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, string>>;
}

/** Users of the image: daemons that run without privileges, and the two every Unix has. */
const users = [
  { name: "root", id: 0 },
  { name: "apid", id: 50 },
  { name: "trustd", id: 51 },
  { name: "dashboard", id: 52 },
  { name: "etcd", id: 60 },
  { name: "nobody", id: 65534 },
] as const;

/** Folders something is mounted on while the system runs. The root itself stays read-only. */
const mountPoints = [
  "boot",
  "dev",
  "etc/cni",
  "etc/cri/conf.d/hosts",
  "etc/kubernetes",
  "etc/udev/rules.d",
  "opt",
  "proc",
  "run",
  "sys",
  "system",
  "usr/etc",
  "usr/lib/firmware",
  "usr/lib/modules",
  "usr/libexec/kubernetes",
  "usr/local",
  "usr/share/talos/empty-root",
  "var",
];

/** Files something is mounted on while the system runs; empty until then. */
const mountedFiles = [
  "etc/cri/conf.d/01-registries.part",
  "etc/cri/conf.d/20-customization.part",
  "etc/cri/conf.d/base-spec.json",
  "etc/cri/conf.d/cri.toml",
  "etc/extensions.yaml",
  "etc/hostname",
  "etc/hosts",
  "etc/localtime",
  "etc/machine-id",
  "etc/nfsmount.conf",
  "etc/resolv.conf",
  "etc/udev/rules.d/99-talos.rules",
];

/**
 * A root for daemons that see nothing of the system but its programs: bind `/usr` onto its `usr` and it is complete.
 */
const daemonRoot = "usr/share/talos/daemon-root";

const topLinks = { bin: "usr/bin", sbin: "usr/sbin", lib: "usr/lib", lib64: "usr/lib64" } as const;

export function skeleton(version: string): Skeleton {
  const under = (entries: Readonly<Record<string, string>>, root: string): Record<string, string> =>
    Object.fromEntries(Object.entries(entries).map(([path, target]) => [`${root}/${path}`, target]));
  const accounts = {
    "etc/group": users.map(({ name, id }) => `${name}:x:${id}:\n`).join(""),
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nprotocols: files\nservices: files\n",
    "etc/passwd": users.map(({ name, id }) => `${name}:x:${id}:${id}::/:/none\n`).join(""),
  };
  return {
    directories: {
      root: 0o700,
      tmp: 0o1777,
      ...Object.fromEntries(mountPoints.map((path) => [path, 0o755])),
      ...Object.fromEntries(
        ["dev", "etc", "etc/ssl", "proc", "run", "sys", "system", "tmp", "usr", "var"].map((path) => [
          `${daemonRoot}/${path}`,
          0o755,
        ]),
      ),
    },
    files: {
      ...Object.fromEntries(mountedFiles.map((path) => [path, ""])),
      ...accounts,
      ...under(accounts, daemonRoot),
      ...under({ "etc/hosts": "", "etc/resolv.conf": "" }, daemonRoot),
      "etc/os-release": osRelease(version),
      "usr/lib/os-release": osRelease(version),
    },
    links: { ...topLinks, ...under(topLinks, daemonRoot), "etc/mtab": "../proc/self/mounts" },
  };
}

function osRelease(version: string): string {
  return `NAME="Talos"\nID=talos\nVERSION_ID=${version}\nPRETTY_NAME="Talos (${version})"\n`;
}
