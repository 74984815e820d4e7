import { readFile } from "node:fs/promises";
import {
  bundleFromConfig,
  bundleFromKubernetesPki,
  encodeBundle,
  generateBundle,
  secretsContract,
  type SecretsBundle,
} from "@talos-ts/machinery/secrets";
import { parse } from "yaml";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { flag, textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

export const command: CommandDefinition = {
  description: "Makes the secrets of a cluster, from which `gen config --with-secrets` makes configurations again.",
  talksToNodes: false,
  options: [
    { flags: "-o, --output-file <path>", description: "file to write, - for the output", default: "secrets.yaml" },
    { flags: "--from-controlplane-config <path>", description: "take the secrets of this control plane configuration" },
    { flags: "-p, --from-kubernetes-pki <folder>", description: "take the CAs of a cluster made by kubeadm" },
    { flags: "-t, --kubernetes-bootstrap-token <token>", description: "keep this token (with --from-kubernetes-pki)" },
    { flags: "--talos-version <version>", description: "version of the machines, when older than this client" },
    forceOption,
  ],
  examples: ["talosctl gen secrets", "talosctl gen secrets --from-controlplane-config controlplane.yaml -o -"],
  async run(invocation) {
    const text = encodeBundle(await makeBundle(invocation));
    const path = textOption(invocation, "outputFile") ?? "secrets.yaml";
    if (path === "-") invocation.io.out(text);
    else await writeNewFile(path, text, { force: flag(invocation, "force") });
  },
};

async function makeBundle(invocation: Invocation): Promise<SecretsBundle> {
  const contract = secretsContract(textOption(invocation, "talosVersion"));
  const config = textOption(invocation, "fromControlplaneConfig");
  const pki = textOption(invocation, "fromKubernetesPki");
  const options = { now: new Date(), contract };
  if (pki !== undefined) return bundleFromKubernetesPki(pki, textOption(invocation, "kubernetesBootstrapToken"), options);
  if (config !== undefined) return bundleFromConfig(mainDocument(await readFile(config, "utf8")), config);
  return generateBundle(options);
}

/** The document that has no kind. Its scalars stay text, as a token may look like a number. */
function mainDocument(text: string): unknown {
  const documents = text.split(/^---$/m).map((part) => parse(part, { schema: "failsafe" }) as unknown);
  return documents.find((each) => typeof each === "object" && each !== null && !("kind" in each));
}
