import { text as readText } from "node:stream/consumers";
import { OsError } from "@talos-ts/base";
import {
  copyImage,
  createRegistryClient,
  noRegistrySettings,
  openLayoutWriter,
  parseReference,
  type ImageReference,
  type Platform,
  type RegistrySettings,
} from "@talos-ts/oci";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { humanBytes } from "../../output/humanize.ts";
import { badFlag, flag, listOption, textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description:
    "Copies images from their registries into an OCI image layout, which nodes use as image cache. What is there already is not copied again.",
  talksToNodes: false,
  options: [
    { flags: "--image-cache-path <folder>", description: "folder of the layout", required: true },
    {
      flags: "--images <list>",
      description: "references, or - to read them from the input, one per line",
      list: true,
      required: true,
    },
    { flags: "--platform <platform>", description: "system and processor", default: "linux/amd64" },
    { flags: "--registry-mirror <list>", description: "mirrors, as in docker.io=https://mirror:5000", list: true },
    { flags: "--insecure", description: "accept any certificate of registries" },
  ],
  examples: [
    "talosctl image cache-create --image-cache-path ./cache --images registry.k8s.io/pause:3.10.1",
    "talosctl image cache-create --image-cache-path ./cache --images -",
  ],
  async run(invocation) {
    const { io, signal } = invocation;
    const references = (await imagesOf(invocation)).map(parseReference);
    const platform = platformOf(invocation);
    const target = await openLayoutWriter(textOption(invocation, "imageCachePath") ?? "");
    using source = createRegistryClient({ settings: settingsOf(invocation, references) });
    for (const [index, reference] of references.entries()) {
      let copied = 0;
      const progress = (blob: { readonly size: number }, outcome: "copied" | "exists"): void => {
        if (outcome === "copied") copied += blob.size;
      };
      const { digest } = await copyImage({ source, target, reference, platform, progress, signal });
      const count = `${String(index + 1)}/${String(references.length)}`;
      const name = `${reference.registry}/${reference.repository}${reference.tag === undefined ? "" : `:${reference.tag}`}`;
      io.err(`${count} ${name} ${digest} (${copied === 0 ? "present" : humanBytes(copied)})\n`);
    }
  },
};

async function imagesOf(invocation: Invocation): Promise<readonly string[]> {
  const given = listOption(invocation, "images");
  const isFromInput = given.includes("-") && invocation.io.input !== undefined;
  const lines =
    isFromInput && invocation.io.input !== undefined ? (await readText(invocation.io.input)).split("\n") : [];
  const all = [...given.filter((name) => name !== "-"), ...lines.map((line) => line.trim())];
  const images = all.filter((name) => name !== "" && !name.startsWith("#"));
  if (images.length > 0) return images;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/no-images",
    message: "Cannot make an image cache: there is no image in --images",
    next: "talosctl image k8s-bundle",
  });
}

function platformOf(invocation: Invocation): Platform {
  const text = textOption(invocation, "platform") ?? "";
  const [os = "", architecture = "", variant] = text.split("/");
  if (os === "" || architecture === "") throw badFlag("platform", text, "as in linux/arm64");
  return { os, architecture, ...(variant === undefined ? {} : { variant }) };
}

function settingsOf(invocation: Invocation, references: readonly ImageReference[]): RegistrySettings {
  const mirrors: Record<string, RegistrySettings["mirrors"][string]> = {};
  for (const entry of listOption(invocation, "registryMirror")) {
    const [, host = "", endpoint = ""] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
    if (!URL.canParse(endpoint)) throw badFlag("registryMirror", entry, "<registry>=<URL>");
    const known = mirrors[host]?.endpoints ?? [];
    mirrors[host] = { endpoints: [...known, { endpoint, overridePath: false }], skipFallback: false };
  }
  if (!flag(invocation, "insecure")) return { ...noRegistrySettings, mirrors };
  const endpoints = Object.values(mirrors).flatMap((mirror) =>
    mirror.endpoints.map(({ endpoint }) => new URL(endpoint).host),
  );
  const hosts = [...references.map(({ registry }) => registry), "registry-1.docker.io", ...endpoints];
  const trusting = { ca: new Uint8Array(), insecureSkipVerify: true };
  return { mirrors, auths: {}, tls: Object.fromEntries(hosts.map((host) => [host, trusting])) };
}
