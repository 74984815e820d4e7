import { readFile } from "node:fs/promises";
import { hostPort } from "@talos-ts/base";
import { createRegistryServer, listen, openLayout, type ImageLayout } from "@talos-ts/oci";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { badFlag, listOption, textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";
import { mirrorPatch, type ServedCache } from "./mirror-patch.ts";

export const command: CommandDefinition = {
  description:
    "Serves image caches as a read-only registry until it is interrupted, and writes the patch by which nodes use it as a mirror.",
  talksToNodes: false,
  options: [
    {
      flags: "--image-cache-path <list>",
      description: "folders of caches, OCI image layouts or flat, searched in this order",
      list: true,
      required: true,
    },
    { flags: "--address <address>", description: "where to listen", default: "127.0.0.1:3172" },
    { flags: "--tls-cert-file <path>", description: "certificate in PEM; without it the registry speaks plain HTTP" },
    { flags: "--tls-key-file <path>", description: "key of the certificate" },
    {
      flags: "--mirror <list>",
      description: "registries that the patch for nodes lets them ask this one for",
      list: true,
      default: ["docker.io", "ghcr.io", "registry.k8s.io"],
    },
    {
      flags: "--patch-file <path>",
      description: "where that patch goes; a free port (0) has none",
      default: "image-cache-mirrors-patch.yaml",
    },
  ],
  examples: ["talosctl image cache-serve --image-cache-path ./cache --address 10.5.0.1:5000"],
  async run(invocation) {
    const { io, signal } = invocation;
    const layouts: ImageLayout[] = [];
    for (const folder of listOption(invocation, "imageCachePath")) layouts.push(await openLayout(folder));
    const address = textOption(invocation, "address") ?? "";
    const [, host = "", port = ""] = /^\[?([^\]]*)\]?:(\d{1,5})$/.exec(address) ?? [];
    if (host === "" || Number(port) > 65_535) throw badFlag("address", address, "<host>:<port>");
    const tls = await tlsOf(invocation);
    const log = (message: string): void => io.err(`${message}\n`);
    const server = createRegistryServer({ layouts: () => layouts, log, ...(tls === undefined ? {} : { tls }) });
    await using listening = await listen(server, host, Number(port));
    if (port !== "0") await writePatch(invocation, { host, port: listening.port, secure: tls !== undefined });
    const count = (await Promise.all(layouts.map((layout) => layout.images()))).reduce(
      (sum, { size }) => sum + size,
      0,
    );
    const url = `${tls === undefined ? "http" : "https"}://${hostPort(host, listening.port)}`;
    io.err(`serving ${String(count)} images on ${url}\n`);
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
  },
};

async function writePatch(invocation: Invocation, cache: ServedCache): Promise<void> {
  const path = textOption(invocation, "patchFile") ?? "";
  // It follows from the flags alone, so that another call may replace it.
  await writeNewFile(path, mirrorPatch(listOption(invocation, "mirror"), cache), { force: true, mode: 0o644 });
  invocation.io.err(`wrote ${path}\n`);
}

async function tlsOf(invocation: Invocation): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  const [cert, key] = [textOption(invocation, "tlsCertFile"), textOption(invocation, "tlsKeyFile")];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw badFlag("tlsCertFile", "", "the certificate of --tls-key-file");
  if (key === undefined) throw badFlag("tlsKeyFile", "", "the key of --tls-cert-file");
  return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
}
