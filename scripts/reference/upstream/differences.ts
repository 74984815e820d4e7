import type { ClientDifference } from "./compare-clients.ts";

/** Describes a difference that is meant, for one or more commands. */
export interface MeantDifference {
  readonly commands: readonly string[];
  /** Name without dashes; absent when the command itself differs. */
  readonly flag?: string;
  readonly what: ClientDifference["what"];
  /** Says why, and what to use instead. */
  readonly reason: string;
}

const local = [
  "image cache-cert-gen",
  "image cache-create",
  "image cache-serve",
  "image k8s-bundle",
  "image talos-bundle",
];
const versions = "the versions that this release was tested with";
const preserving =
  "only changed lines are written, and comments of the configuration stay; the flag asks for them anew";

/**
 * Differences from upstream's client that are meant. `compare-clients.spec.ts` fails for every other one, and for a row
 * that has become untrue.
 */
export const meantDifferences: readonly MeantDifference[] = [
  {
    commands: ["cluster create dev"],
    what: "absent",
    reason: "for developers of upstream, with kernels of their build tree; `npm run up` and `cluster create` are ours",
  },
  {
    commands: ["cluster create docker", "cluster create qemu"],
    flag: "cpus-workers",
    what: "default",
    reason: "as many as control plane nodes have, which is 2 unless given",
  },
  {
    commands: ["cluster create docker", "cluster create qemu"],
    flag: "memory-workers",
    what: "default",
    reason: "as much as control plane nodes have, which is 2 GiB unless given",
  },
  {
    commands: ["cluster create docker"],
    flag: "image",
    what: "default",
    reason: "the image is built on the machine, once; no registry has it",
  },
  {
    commands: ["cluster create docker", "cluster create qemu", "gen config"],
    flag: "kubernetes-version",
    what: "default",
    reason: versions,
  },
  {
    commands: ["cluster create qemu"],
    flag: "disks",
    what: "absent",
    reason: "machines have one disk, whose size is `--disk`",
  },
  ...["image-factory-auth", "image-factory-url", "omni-api-endpoint", "presets", "schematic-id", "talos-version"].map(
    (flag) => ({
      commands: ["cluster create qemu"],
      flag,
      what: "absent" as const,
      reason: "machines start from the image that is built here; no image factory and no Omni is asked",
    }),
  ),
  {
    commands: ["cluster show"],
    flag: "provisioner",
    what: "default",
    reason: "the state of a cluster says what it is made of",
  },
  {
    commands: ["conformance kubernetes"],
    what: "nodes",
    reason: "the tests are separate programs, which `npm run conformance` builds and runs",
  },
  {
    commands: ["gen config"],
    flag: "install-image",
    what: "default",
    reason: "the installer of the release, as clients of a release have it",
  },
  {
    commands: ["gen secureboot database"],
    flag: "include-well-known-uefi-certs",
    what: "absent",
    reason:
      "certificates of others are not a part of this client; firmware that shall start drivers signed by Microsoft keeps its own",
  },
  { commands: local, what: "nodes", reason: "runs without a node; upstream takes the flags and does not use them" },
  {
    commands: local,
    flag: "namespace",
    what: "absent",
    reason: "concerns images on nodes; upstream does not use it here",
  },
  ...["coredns-version", "etcd-version", "flannel-version", "k8s-version"].map((flag) => ({
    commands: ["image k8s-bundle"],
    flag,
    what: "default" as const,
    reason: versions,
  })),
  {
    commands: ["rotate-ca"],
    flag: "output",
    what: "default",
    reason: "the talosconfig in use gets the new credentials, so that the next command works",
  },
  { commands: ["rotate-ca", "upgrade-k8s"], flag: "with-docs", what: "default", reason: preserving },
  { commands: ["rotate-ca", "upgrade-k8s"], flag: "with-examples", what: "default", reason: preserving },
  {
    commands: ["support"],
    flag: "num-workers",
    what: "default",
    reason: "two questions at once are faster, and no load",
  },
  { commands: ["upgrade-k8s"], flag: "to", what: "default", reason: versions },
  {
    commands: ["usage"],
    flag: "depth",
    what: "default",
    reason: "upstream's help says 0, but its variable is shared with `list`, so that 1 is what it uses",
  },
];
