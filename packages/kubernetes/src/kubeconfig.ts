import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isRecord, OsError } from "@talos-ts/base";
import { parse } from "yaml";
import type { KubernetesAccess } from "./access.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Largest kubeconfig that is read, in bytes; a kubeconfig has a few KiB per cluster. */
const maxBytes = 4 * 1024 * 1024;

/** Reads the current context of a kubeconfig file; files it refers to are relative to it. */
export async function loadKubeconfig(path: string, root = ""): Promise<KubernetesAccess> {
  const text = await readFile(path, "utf8");
  return parseKubeconfig(text, { read: async (file) => readFile(root + resolve(dirname(path), file), "utf8") });
}

export interface ParseKubeconfigOptions {
  /** Context to use. Default: `current-context`. */
  readonly context?: string;
  /** Reads a file that the kubeconfig refers to. Default: such references are refused. */
  readonly read?: (path: string) => Promise<string>;
}

/** The access that one context of a kubeconfig describes. Plug-ins (`exec`) and passwords are refused. */
export async function parseKubeconfig(text: string, options: ParseKubeconfigOptions = {}): Promise<KubernetesAccess> {
  if (text.length > maxBytes) throw bad(`is larger than ${String(maxBytes)} bytes`);
  const document: unknown = parse(text);
  if (!isRecord(document)) throw bad("is not a mapping");
  const contextName = options.context ?? textOf(document, "current-context");
  if (contextName === undefined || contextName === "") throw bad("has no current-context");
  const context = named(document, "contexts", "context", contextName);
  const cluster = named(document, "clusters", "cluster", textOf(context, "cluster") ?? "");
  const userName = textOf(context, "user");
  const user = userName === undefined ? {} : named(document, "users", "user", userName);
  const server = textOf(cluster, "server");
  if (server === undefined || !URL.canParse(server)) throw bad(`has no valid server URL for context "${contextName}"`);
  for (const field of ["exec", "auth-provider", "username"]) {
    if (user[field] !== undefined) throw bad(`uses "${field}" for user "${userName ?? ""}", which is not supported`);
  }

  const content = async (fields: Fields, name: string): Promise<string | undefined> => {
    const data = textOf(fields, `${name}-data`);
    if (data !== undefined && data !== "") return Buffer.from(data, "base64").toString("utf8");
    const file = textOf(fields, name);
    if (file === undefined || file === "") return undefined;
    if (options.read === undefined) throw bad(`refers to the file "${file}", which cannot be read here`);
    return await options.read(file);
  };
  const tokenFile = textOf(user, "tokenFile");
  const token =
    textOf(user, "token") ??
    (tokenFile === undefined || options.read === undefined ? undefined : (await options.read(tokenFile)).trim());
  const ca = await content(cluster, "certificate-authority");
  const cert = await content(user, "client-certificate");
  const key = await content(user, "client-key");
  const serverName = textOf(cluster, "tls-server-name");
  return {
    server: server.replace(/\/+$/, ""),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(token !== undefined && { token }),
    ...(serverName !== undefined && { serverName }),
    ...(cluster["insecure-skip-tls-verify"] === true && { insecure: true }),
  };
}

function named(document: Fields, listName: string, field: string, name: string): Fields {
  const list = document[listName];
  const entry = Array.isArray(list) ? list.find((item) => isRecord(item) && item["name"] === name) : undefined;
  const value: unknown = isRecord(entry) ? entry[field] : undefined;
  if (!isRecord(value)) throw bad(`has no ${field} "${name}"`);
  return value;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

function bad(problem: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "kubernetes/bad-kubeconfig",
    message: `Cannot use the kubeconfig: it ${problem}`,
    next: "talosctl kubeconfig --force",
  });
}
