import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { OsError } from "@talos-ts/base";
import {
  applyPatches,
  encodeConfig,
  generateConfig,
  loadPatches,
  parseContract,
  type GenerateOptions,
} from "@talos-ts/machinery/config";
import { defaultKubernetesVersion, talosVersion } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";
import { decodeBundle, generateBundle, issueLeaf, secretsContract, validateBundle } from "@talos-ts/machinery/secrets";
import type { SecretsBundle } from "@talos-ts/machinery/secrets";
import { createTalosconfig, encodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { flag, listOption, textOption } from "../../values.ts";
import { readRegistryMirrors } from "../../registry-mirrors.ts";
import { checkNoFiles, writeNewFile } from "../../write-file.ts";
import { checkEndpointUrl } from "./endpoint-url.ts";
import { forceOption } from "./force-option.ts";

const outputs = { controlplane: "controlplane.yaml", worker: "worker.yaml", talosconfig: "talosconfig" } as const;
type Output = keyof typeof outputs;
const outputTypes = Object.keys(outputs) as Output[];

export const command: CommandDefinition = {
  description: "Makes the configurations of a new cluster, and the client configuration to reach it with.",
  talksToNodes: false,
  arguments: [
    { spec: "<cluster>", description: "name of the cluster" },
    { spec: "<endpoint>", description: "URL of the Kubernetes API, as in https://10.5.0.2:6443" },
  ],
  options: [
    { flags: "-o, --output <path>", description: "folder to write to; a file, or -, for a single output" },
    { flags: "--output-dir <path>", description: "folder to write to", hidden: true },
    { flags: "-t, --output-types <list>", description: `which files to make (default: ${outputTypes.join(",")})`, list: true },
    { flags: "--with-secrets <path>", description: "secrets made by `gen secrets`" },
    { flags: "--additional-sans <list>", description: "more names and addresses for the certificates of the APIs", list: true },
    { flags: "--dns-domain <domain>", description: "domain of the cluster", default: "cluster.local" },
    { flags: "--install-disk <path>", description: "disk to install to", default: "/dev/sda" },
    {
      flags: "--install-image <image>",
      description: "image to install from",
      default: `ghcr.io/siderolabs/installer:${talosVersion}`,
    },
    { flags: "--kubernetes-version <version>", description: "version of Kubernetes", default: defaultKubernetesVersion },
    { flags: "--talos-version <version>", description: "version of the machines, when older than this client" },
    { flags: "--registry-mirror <list>", description: "mirrors, as in docker.io=https://mirror:5000", list: true },
    { flags: "--config-patch <patch>", description: "patch, or @file, for all machines", repeat: true },
    { flags: "--config-patch-control-plane <patch>", description: "the same for control plane machines", repeat: true },
    { flags: "--config-patch-worker <patch>", description: "the same for workers", repeat: true },
    { flags: "--with-docs", description: "explain each field", default: true },
    { flags: "--with-examples", description: "show unset fields as comments", default: true },
    { flags: "--with-cluster-discovery", description: "let machines find each other", default: true },
    { flags: "--with-kubespan", description: "connect machines by WireGuard" },
    { flags: "--version <name>", description: "version of the format", default: "v1alpha1", choices: ["v1alpha1"], hidden: true },
    forceOption,
  ],
  examples: ["talosctl gen config demo https://10.5.0.2:6443", "talosctl gen config demo https://demo:6443 -t worker -o -"],
  async run(invocation) {
    const [clusterName = "", endpoint = ""] = invocation.args;
    checkEndpointUrl(endpoint);
    const wanted = readOutputs(invocation);
    const force = flag(invocation, "force");
    if (!force) await checkNoFiles(wanted.map(([, path]) => path).filter((path) => path !== "-"));
    const secrets = await readSecrets(invocation);
    for (const [type, path] of wanted) {
      const text =
        type === "talosconfig"
          ? await makeTalosconfig(clusterName, secrets)
          : makeConfig(invocation, { clusterName, endpoint, secrets, machineType: type });
      if (path === "-") {
        invocation.io.out(text);
        continue;
      }
      // Keys and tokens are in every one of them.
      await writeNewFile(path, text, { force, mode: 0o600 });
      invocation.io.err(`Created ${path}\n`);
    }
  },
};

/** Returns what to make, and where. */
function readOutputs(invocation: Invocation): readonly (readonly [Output, string])[] {
  const given = listOption(invocation, "outputTypes").filter((type) => type !== "");
  if (given.length === 0 && invocation.options["outputTypes"] !== undefined) {
    throw refused("at least one output type must be specified");
  }
  const unknown = given.filter((type) => !(outputTypes as string[]).includes(type));
  if (unknown.length > 0) throw refused(unknown.map((type) => `invalid output type: ${JSON.stringify(type)}`).join(", "));
  const types = given.length > 0 ? (given as Output[]) : outputTypes;
  const output = textOption(invocation, "output");
  const folder = textOption(invocation, "outputDir");
  if (output !== undefined && folder !== undefined) throw refused("can't use both output-dir and output");
  if (output === "-" && types.length > 1) throw refused("can't use multiple output types with stdout");
  if (output !== undefined && types.length === 1) return types.map((type) => [type, output]);
  return types.map((type) => [type, join(output ?? folder ?? resolve("."), outputs[type])]);
}

async function readSecrets(invocation: Invocation): Promise<SecretsBundle> {
  const path = textOption(invocation, "withSecrets");
  if (path !== undefined) return validateBundle(decodeBundle(await readFile(path, "utf8")), path);
  return generateBundle({ now: new Date(), contract: secretsContract(textOption(invocation, "talosVersion")) });
}

function makeConfig(
  invocation: Invocation,
  input: Pick<Parameters<typeof generateConfig>[0], "clusterName" | "endpoint" | "secrets" | "machineType">,
): string {
  const version = textOption(invocation, "talosVersion");
  const config = generateConfig({
    ...input,
    kubernetesVersion: (textOption(invocation, "kubernetesVersion") ?? defaultKubernetesVersion).replace(/^v/, ""),
    options: generateOptions(invocation),
    ...(version !== undefined && { versionContract: parseContract(version) }),
  });
  const own = input.machineType === "worker" ? "configPatchWorker" : "configPatchControlPlane";
  const patches = loadPatches([...listOption(invocation, "configPatch"), ...listOption(invocation, own)]);
  return encodeConfig(applyPatches(config, patches), {
    docs: flag(invocation, "withDocs"),
    examples: flag(invocation, "withExamples"),
  });
}

function generateOptions(invocation: Invocation): GenerateOptions {
  const installDisk = textOption(invocation, "installDisk");
  const installImage = textOption(invocation, "installImage");
  const dnsDomain = textOption(invocation, "dnsDomain");
  return {
    additionalSans: listOption(invocation, "additionalSans"),
    clusterDiscovery: flag(invocation, "withClusterDiscovery"),
    registryMirrors: readRegistryMirrors(invocation),
    ...(flag(invocation, "withKubespan") && { kubeSpan: true }),
    ...(installDisk !== undefined && { installDisk }),
    ...(installImage !== undefined && { installImage }),
    ...(dnsDomain !== undefined && { dnsDomain }),
  };
}

async function makeTalosconfig(clusterName: string, secrets: SecretsBundle): Promise<string> {
  const client = await issueLeaf("talosconfig", secrets.certs.os, { roles: [roles.admin] }, { now: new Date() });
  return encodeTalosconfig(createTalosconfig(clusterName, [], secrets.certs.os.crt, client));
}

const refused = (message: string): OsError =>
  new OsError({ kind: "invalid-argument", code: "cli/bad-request", message, next: "talosctl gen config --help" });
