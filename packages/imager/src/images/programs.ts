import type { ModulePins } from "./module-pins.ts";

export type ProgramName = "pause" | "etcd" | "kubernetes" | "flanneld" | "flannel-cni" | "coredns" | "agnhost" | "e2e";

/** A program that is built from Go modules. */
export interface ProgramRecipe {
  readonly name: ProgramName;
  /** The module of ours, a folder of `packages/imager/go`, that pins what the program is built from. */
  readonly module: "images" | "flannel-cni" | "conformance";
  /** The package with `main`. */
  readonly package: string;
  /** Variables the linker sets. */
  readonly variables: (pins: ModulePins) => Readonly<Record<string, string>>;
  /** User and system time of the build on a current server core, after the programs before it; for estimates only. */
  readonly cpuSeconds: number;
}

/** In the order in which they are built: what is needed first comes first. */
export const programs: readonly ProgramRecipe[] = [
  {
    name: "pause",
    module: "images",
    package: "./pause",
    variables: () => ({}),
    cpuSeconds: 10,
  },
  {
    name: "etcd",
    module: "images",
    package: "./etcd",
    variables: (pins) => ({
      "go.etcd.io/etcd/api/v3/version.GitSHA": pins.version("go.etcd.io/etcd/server/v3"),
    }),
    cpuSeconds: 110,
  },
  {
    name: "kubernetes",
    module: "images",
    package: "./kubernetes",
    variables: (pins) => kubernetesVersion(pins.version("k8s.io/kubernetes")),
    cpuSeconds: 775,
  },
  {
    name: "flanneld",
    module: "images",
    package: "github.com/flannel-io/flannel",
    variables: (pins) => ({
      "github.com/flannel-io/flannel/pkg/version.Version": pins.version("github.com/flannel-io/flannel"),
    }),
    cpuSeconds: 7,
  },
  {
    name: "flannel-cni",
    module: "flannel-cni",
    package: "github.com/containernetworking/plugins/plugins/meta/flannel",
    variables: (pins) => ({
      "github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion": pins.version(
        "github.com/containernetworking/plugins",
      ),
    }),
    cpuSeconds: 5,
  },
  {
    name: "coredns",
    module: "images",
    package: "./coredns",
    variables: () => ({}),
    cpuSeconds: 25,
  },
];

/** Programs that only the conformance suite needs. */
const conformancePrograms: readonly ProgramRecipe[] = [
  {
    name: "agnhost",
    module: "conformance",
    package: "k8s.io/kubernetes/test/images/agnhost",
    variables: () => ({}),
    cpuSeconds: 500,
  },
  {
    name: "e2e",
    module: "conformance",
    package: "./e2e",
    variables: (pins) => kubernetesVersion(pins.version("k8s.io/kubernetes")),
    cpuSeconds: 250,
  },
];

/** The recipe of a program. */
export function programRecipe(name: ProgramName): ProgramRecipe {
  const found = programs.concat(conformancePrograms).find((recipe) => recipe.name === name);
  if (found === undefined) throw new RangeError(`no recipe for program ${name}`);
  return found;
}

/** Symbols are left out; they are a third of a program and a node has no debugger. */
export function linkerFlags(recipe: ProgramRecipe, pins: ModulePins): string {
  const variables = Object.entries(recipe.variables(pins)).map(([name, value]) => `-X ${name}=${value}`);
  return ["-s", "-w", ...variables].join(" ");
}

function kubernetesVersion(version: string): Record<string, string> {
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)\./.exec(version) ?? [];
  const component = "k8s.io/component-base/version";
  return {
    [`${component}.gitVersion`]: version,
    [`${component}.gitMajor`]: major,
    [`${component}.gitMinor`]: minor,
    [`${component}.gitTreeState`]: "clean",
    "k8s.io/client-go/pkg/version.gitVersion": version,
  };
}
