import { request } from "node:https";
import { OsError } from "@talos-ts/base";
import { kubeletPort } from "@talos-ts/machinery/constants";
import type { CertificateAndKey, JsonObject } from "@talos-ts/machinery/resources/values";
import { goTlsError } from "./go-tls-error.ts";

export interface KubeletClientOptions {
  /** Name the kubelet's certificate is for. */
  readonly nodename: string;
  readonly client: CertificateAndKey;
  /** Certificate authorities in PEM; a certificate that the kubelet signed itself is its own authority. */
  readonly trusted: readonly string[];
  /** @default {10_250} */
  readonly port?: number;
}

/** A pod as the kubelet knows it. */
export interface KubeletPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: JsonObject;
}

const timeoutMs = 30_000;
const path = "/pods/?timeout=30s";

/** Pods of the kubelet on this machine. @throws OsError `k8s/kubelet-unreachable`, `k8s/kubelet-refused` */
export async function kubeletPods(options: KubeletClientOptions, signal: AbortSignal): Promise<readonly KubeletPod[]> {
  const port = options.port ?? kubeletPort;
  const url = `https://127.0.0.1:${String(port)}${path}`;
  const { status, body } = await get(url, options, signal);
  if (status !== 200) {
    throw new OsError({
      kind: status === 401 || status === 403 ? "permission-denied" : "unavailable",
      code: "k8s/kubelet-refused",
      message: `Get "${url}": expected HTTP status OK, got ${String(status)}: ${body.trim()}`,
      next: "talosctl logs kubelet",
    });
  }
  return (JSON.parse(body) as { readonly items?: readonly KubeletPod[] }).items ?? [];
}

async function get(
  url: string,
  { nodename, client, trusted }: KubeletClientOptions,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const call = request(url, {
    cert: client.crt,
    key: client.key,
    ca: [...trusted],
    servername: nodename,
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  call.on("error", reject);
  call.on("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
  });
  call.end();
  try {
    return await promise;
  } catch (err) {
    throw new OsError({
      kind: "unavailable",
      code: "k8s/kubelet-unreachable",
      message: `Get "${url}": ${goTlsError(err)}`,
      next: "talosctl service kubelet",
    });
  }
}
