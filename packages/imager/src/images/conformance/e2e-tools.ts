import { join } from "node:path";
import { cacheKey, runTool, type Progress } from "@talos-ts/host";
import { currentArchitecture } from "../../architecture.ts";
import { openPackages } from "../extracted-packages.ts";
import { cachedLayer } from "../layer-cache.ts";
import { toolEntries } from "../tools-tree.ts";
import { layerCompression } from "../write-layer.ts";
import type { StoredLayer } from "../write-layout.ts";

/** Packages with what tests call inside of their images: a shell and its tools, and clients of HTTP and DNS. */
const packages = ["bind9-dnsutils", "busybox-static", "curl", "libc-bin"] as const;
const programs = ["usr/bin/busybox", "usr/bin/curl", "usr/bin/dig", "usr/bin/getent"] as const;

/** Packages apt adds for maintainer scripts and configuration that are not taken. */
const unwanted = [
  /^(?:dash|bash|debconf|debianutils|dpkg|perl-base|sensible-utils|init-system-helpers)$/,
  /^(?:openssl|openssl-provider-.*|tzdata|media-types|publicsuffix|krb5-locales|libsasl2-modules.*)$/,
] as const;

export interface ToolsLayerOptions {
  readonly cacheRoot: string;
  readonly signal?: AbortSignal;
}

/** The layer with the tools of test images; busybox answers to the name of each of its applets. */
export async function e2eToolsLayer(options: ToolsLayerOptions, progress: Progress): Promise<StoredLayer> {
  await using opened = await openPackages({ ...options, roots: packages, unwanted }, progress);
  const key = cacheKey(JSON.stringify([programs, layerCompression, "applets"]), opened.key);
  return await cachedLayer(
    { ...options, name: "tools of tests", key: `e2e-tools-${key}` },
    async () => {
      const folder = await opened.folder();
      const { stdout } = await runTool(join(folder, "usr/bin/busybox"), ["--list"]);
      const applets = stdout.split("\n").filter((name) => name !== "" && name !== "busybox");
      const links = Object.fromEntries(applets.map((name) => [`usr/bin/${name}`, "busybox"]));
      const selection = { programs, plainFiles: [], trees: [], links };
      return await toolEntries(folder, opened.names, selection, currentArchitecture());
    },
    progress,
  );
}
