import { readFile } from "node:fs/promises";
import { hostPort } from "@talos-ts/base";
import { createRegistryServer, listen, openLayout, type ImageLayout } from "@talos-ts/oci";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { badFlag, listOption, textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description: "Serves OCI image layouts as a read-only registry until it is interrupted. Nodes use it as a mirror.",
  talksToNodes: false,
  options: [
    {
      flags: "--image-cache-path <list>",
      description: "folders of layouts, searched in this order",
      list: true,
      required: true,
    },
    { flags: "--address <address>", description: "where to listen", default: "127.0.0.1:3172" },
    { flags: "--tls-cert-file <path>", description: "certificate in PEM; without it the registry speaks plain HTTP" },
    { flags: "--tls-key-file <path>", description: "key of the certificate" },
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

async function tlsOf(invocation: Invocation): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  const [cert, key] = [textOption(invocation, "tlsCertFile"), textOption(invocation, "tlsKeyFile")];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw badFlag("tlsCertFile", "", "the certificate of --tls-key-file");
  if (key === undefined) throw badFlag("tlsKeyFile", "", "the key of --tls-cert-file");
  return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
}
