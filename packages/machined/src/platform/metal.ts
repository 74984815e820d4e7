import { OsError } from "@talos-ts/base";
import type { KernelArguments } from "../command-line/kernel-arguments.ts";
import type { Platform } from "../platform.ts";

/** Largest configuration that is downloaded. */
const maxConfigBytes = 32 * 1024 * 1024;

/** Gives the body of a URL. */
export type Download = (url: URL, signal: AbortSignal) => Promise<Buffer>;

/** A machine with hardware of its own, virtual or not: configured by `talos.config=` of the kernel's command line, or by a person. */
export function metalPlatform(args: KernelArguments, download: Download = downloadOverHttp): Platform {
  return {
    name: "metal",
    mode: "metal",
    async configuration(signal) {
      const value = args.last("talos.config") ?? "";
      if (value === "" || value === "none") return undefined;
      return download(configUrl(value), signal);
    },
    async network() {
      return { hostname: undefined, resolvers: [], instanceType: undefined };
    },
  };
}

function configUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new OsError({
    kind: "invalid-argument",
    code: "platform/config-url",
    message: `Cannot download the machine configuration from "talos.config=${value}": expected an http or https URL, or none`,
  });
}

async function downloadOverHttp(url: URL, signal: AbortSignal): Promise<Buffer> {
  const failure = (reason: string, cause?: unknown): OsError =>
    new OsError({
      kind: "unavailable",
      code: "platform/config-download",
      message: `Cannot download the machine configuration from "${url.origin}${url.pathname}": ${reason}`,
      cause,
    });
  const response = await fetch(url, { signal }).catch((err: unknown) => {
    throw failure(String(err), err);
  });
  if (!response.ok) throw failure(`expected status 200, got ${String(response.status)}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxConfigBytes) throw failure(`it has more than ${String(maxConfigBytes)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
