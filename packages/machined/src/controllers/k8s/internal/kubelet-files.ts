import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isRecord } from "@talos-ts/base";
import { pemToBase64 } from "@talos-ts/crypto";
import { readOptional } from "@talos-ts/host";
import { kubernetesPaths } from "@talos-ts/machinery/constants";
import type { KubeletSpecSpec } from "@talos-ts/machinery/resources/k8s";
import type { KubeletSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { parse, stringify } from "yaml";

/** Writes what the kubelet reads when it starts. `root` is a prefix of all paths, for tests. */
export async function writeKubeletFiles(
  root: string,
  { config, credentialProviderConfig }: KubeletSpecSpec,
  secret: KubeletSecretSpec,
): Promise<void> {
  await write(`${root}${kubernetesPaths.bootstrapKubeconfig}`, bootstrapKubeconfig(secret), 0o600);
  await write(`${root}${kubernetesPaths.caCertificate}`, authorities(secret), 0o400);
  await write(`${root}${kubernetesPaths.kubeletConfig}`, stringify(config), 0o600);
  const providers = `${root}${kubernetesPaths.credentialProviderConfig}`;
  if (Object.keys(credentialProviderConfig).length === 0) await rm(providers, { force: true });
  else await write(providers, stringify(credentialProviderConfig), 0o600);
}

async function write(path: string, contents: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, contents, { mode });
  await chmod(path, mode);
}

function authorities({ acceptedCAs }: KubeletSecretSpec): string {
  return acceptedCAs.map(({ crt }) => crt).join("");
}

/** Access by the bootstrap token, with which the kubelet asks for its first certificate. */
function bootstrapKubeconfig(secret: KubeletSecretSpec): string {
  const [cluster, user] = ["local", "kubelet@local"];
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: cluster,
          cluster: { server: secret.endpoint, "certificate-authority-data": pemToBase64(authorities(secret)) },
        },
      ],
      users: [{ name: user, user: { token: `${secret.bootstrapTokenID}.${secret.bootstrapTokenSecret}` } }],
      contexts: [{ name: user, context: { cluster, user } }],
      "current-context": user,
    },
    { lineWidth: 0 },
  );
}

/**
 * Points the kubeconfig that the kubelet wrote at the present endpoint and authorities; its certificate stays. Resolves to a
 * problem if the file is not what it should be, which only the kubelet can repair.
 */
export async function updateKubeletKubeconfig(root: string, secret: KubeletSecretSpec): Promise<string | undefined> {
  const path = `${root}${kubernetesPaths.kubeletKubeconfig}`;
  const contents = await readOptional(path);
  if (contents === undefined) return undefined;
  const config: unknown = parse(contents.toString());
  if (!isRecord(config)) return "kubeconfig is malformed";
  const context = named(config["contexts"], config["current-context"], "context");
  if (context === undefined) return "kubeconfig is missing current context";
  const cluster = named(config["clusters"], context["cluster"], "cluster");
  if (cluster === undefined) return "kubeconfig is missing cluster";
  const [server, data] = [secret.endpoint, pemToBase64(authorities(secret))];
  if (cluster["server"] === server && cluster["certificate-authority-data"] === data) return undefined;
  cluster["server"] = server;
  cluster["certificate-authority-data"] = data;
  delete cluster["certificate-authority"];
  await write(path, stringify(config, { lineWidth: 0 }), 0o600);
  return undefined;
}

/** The entry of a list of a kubeconfig with this name. */
function named(list: unknown, name: unknown, key: string): Record<string, unknown> | undefined {
  const entry: unknown = Array.isArray(list) ? list.find((item) => isRecord(item) && item["name"] === name) : undefined;
  const value = isRecord(entry) ? entry[key] : undefined;
  return isRecord(value) ? value : undefined;
}
