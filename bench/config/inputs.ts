/** Writes the files that both sides work on. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeConfig, generateConfig, loadConfig } from "@talos-ts/machinery/config";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { encodeBundle, generateBundle } from "@talos-ts/machinery/secrets";
import { counts, type Work } from "./sizes.ts";

const hosts = 4000;
const mirrors = 1500;
const manifests = 100;

export async function writeInputs(folder: string): Promise<Work> {
  const secrets = await generateBundle({ now: new Date() });
  const config = generateConfig({
    clusterName: "bench",
    endpoint: "https://10.6.0.2:6443",
    secrets,
    machineType: "controlplane",
    kubernetesVersion: defaultKubernetesVersion,
  });
  const small = encodeConfig(config);
  const texts = {
    small,
    // Written canonically, so that both sides have the same to read and the same to write.
    large: encodeConfig(loadConfig([withManifests(small), ...hostDocuments(), ...mirrorDocuments()].join("---\n"))),
    patch: patch(),
    secrets: encodeBundle(secrets),
  };
  const written = Object.entries(texts).map(async ([name, text]) => {
    const path = join(folder, `${name}.yaml`);
    await writeFile(path, text, { mode: 0o600 });
    return [name, path] as const;
  });
  return { ...(Object.fromEntries(await Promise.all(written)) as Record<keyof typeof texts, string>), ...counts };
}

/** Manifests belong into the cluster part, which is the last one of the first document. */
function withManifests(text: string): string {
  const [main = "", ...others] = text.split("---\n");
  const entries = Array.from({ length: manifests }, (_, index) => {
    const data = Array.from(
      { length: 40 },
      (__, line) => `            key-${line}: value ${index}-${line} of a setting\n`,
    );
    return (
      `        - name: manifest-${index}\n          contents: |\n` +
      `            apiVersion: v1\n            kind: ConfigMap\n            metadata:\n              name: settings-${index}\n` +
      `            data:\n${data.map((line) => `  ${line}`).join("")}`
    );
  });
  return [`${main}    inlineManifests:\n${entries.join("")}`, ...others].join("---\n");
}

function* hostDocuments(): Generator<string> {
  for (let index = 0; index < hosts; index += 1) {
    const address = `10.${32 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    yield `apiVersion: v1alpha1\nkind: StaticHostConfig\nname: ${address}\nhostnames:\n    - host-${index}\n    - host-${index}.example.org\n`;
  }
}

function* mirrorDocuments(): Generator<string> {
  for (let index = 0; index < mirrors; index += 1) {
    yield (
      `apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: registry-${index}.example.org\nendpoints:\n` +
        `    - url: https://mirror-${index}.example.org:5000\n    - url: https://fallback.example.org/v2/${index}\n` +
        `      overridePath: true\nskipFallback: true\n`
    );
  }
}

/** A change of scalars, of a list and of a map, one of a document that exists and one that is new. */
function patch(): string {
  return [
    `machine:
    kubelet:
        extraArgs:
            rotate-server-certificates: "true"
    sysctls:
        net.core.somaxconn: "65535"
    certSANs:
        - bench.example.org
cluster:
    apiServer:
        extraArgs:
            audit-log-maxage: "7"
`,
    `apiVersion: v1alpha1\nkind: StaticHostConfig\nname: 10.32.0.7\nhostnames:\n    - patched.example.org\n`,
    `apiVersion: v1alpha1\nkind: StaticHostConfig\nname: 10.99.0.1\nhostnames:\n    - added.example.org\n`,
  ].join("---\n");
}
