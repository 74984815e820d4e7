import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { describeError, isKind, OsError } from "@talos-ts/base";
import {
  cachedSource,
  copyImage,
  copySignatures,
  createRegistryClient,
  formatReference,
  openFlatWriter,
  openLayoutWriter,
  parseReference,
  type Descriptor,
  type LayoutWriter,
  type Platform,
} from "@talos-ts/oci";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { humanBytes } from "../../output/humanize.ts";
import { badFlag, flag, listOption, textOption } from "../../values.ts";
import { registrySettings } from "./registry-settings.ts";

/** Formats of a cache, by the flag that names them. */
const writers: Readonly<Record<string, (directory: string) => Promise<LayoutWriter>>> = {
  oci: openLayoutWriter,
  flat: openFlatWriter,
};

/** Entries by which a folder is known as a cache that this command made. */
const marks = new Set(["oci-layout", "manifests"]);

export const command: CommandDefinition = {
  description:
    "Copies images from their registries into a folder, which nodes use as image cache. What is there already is not copied again, unless --force is given.",
  talksToNodes: false,
  options: [
    { flags: "--image-cache-path <folder>", description: "folder of the cache", required: true },
    {
      flags: "--images <list>",
      description: "references, or - to read them from the input, one per line",
      list: true,
      required: true,
    },
    {
      flags: "--layout <format>",
      description:
        "oci: an OCI image layout with every image; flat: manifests below their repositories, as Talos has it",
      choices: Object.keys(writers),
      default: "oci",
    },
    {
      flags: "--platform <list>",
      description: "systems and processors, or all",
      list: true,
      default: ["linux/amd64"],
    },
    { flags: "--cosign-signatures", description: "copy the signatures of images too", default: true },
    {
      flags: "--image-layer-cache-path <folder>",
      description: "keep layers in this folder, and take those from it that are there",
    },
    { flags: "--registry-mirror <list>", description: "mirrors, as in docker.io=https://mirror:5000", list: true },
    { flags: "--insecure", description: "accept any certificate of registries" },
    { flags: "--force", description: "remove the folder first, and begin anew" },
  ],
  examples: [
    "talosctl image cache-create --image-cache-path ./cache --images registry.k8s.io/pause:3.10.1",
    "talosctl image cache-create --image-cache-path ./cache --images - --platform linux/amd64,linux/arm64",
  ],
  async run(invocation) {
    const { io, signal } = invocation;
    const references = (await imagesOf(invocation)).map(parseReference);
    const platforms = platformsOf(invocation);
    const folder = textOption(invocation, "imageCachePath") ?? "";
    if (flag(invocation, "force")) await removeCache(folder);
    const target = await (writers[textOption(invocation, "layout") ?? "oci"] ?? openLayoutWriter)(folder);
    using client = createRegistryClient({ settings: registrySettings(invocation, references) });
    const layers = textOption(invocation, "imageLayerCachePath");
    const source = layers === undefined ? client : cachedSource(client, layers);
    for (const [index, reference] of references.entries()) {
      let copied = 0;
      const progress = (blob: Descriptor, outcome: "copied" | "exists"): void => {
        if (outcome === "copied") copied += blob.size;
      };
      const options = { source, target, reference, progress, signal };
      let digest = "";
      for (const platform of platforms) ({ digest } = await copyImage({ ...options, platform }));
      const signed = flag(invocation, "cosignSignatures") && (await signaturesOf(invocation, options, digest));
      const count = `${String(index + 1)}/${String(references.length)}`;
      const name = `${reference.registry}/${reference.repository}${reference.tag === undefined ? "" : `:${reference.tag}`}`;
      const how = `${copied === 0 ? "present" : humanBytes(copied)}${signed ? ", signed" : ""}`;
      io.err(`${count} ${name} ${digest} (${how})\n`);
    }
  },
};

/** Copies signatures. A registry that does not answer when it is asked for what few images have is no failure. */
async function signaturesOf(
  { io, signal }: Invocation,
  options: Parameters<typeof copySignatures>[0],
  digest: string,
): Promise<boolean> {
  try {
    return await copySignatures(options, { digest });
  } catch (err) {
    signal.throwIfAborted();
    io.err(`WARNING: ${formatReference(options.reference)}: could not ask for signatures: ${describeError(err)}\n`);
    return false;
  }
}

/** @throws {OsError} `cli/not-a-cache` when something else is in the folder */
async function removeCache(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((err: unknown) => {
    if (isKind(OsError.from(err), "not-found")) return [];
    throw err;
  });
  if (entries.length > 0 && !entries.some((entry) => marks.has(entry))) {
    throw new OsError({
      kind: "failed-precondition",
      code: "cli/not-a-cache",
      message: `Cannot remove ${JSON.stringify(folder)}: there is no image cache in it, but ${entries.slice(0, 3).join(", ")}`,
      next: "talosctl image cache-create --image-cache-path <new folder>",
    });
  }
  for (const entry of entries) await rm(join(folder, entry), { recursive: true, force: true });
}

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

function platformsOf(invocation: Invocation): readonly (Platform | "all")[] {
  const given = listOption(invocation, "platform");
  if (given.length === 0) throw badFlag("platform", "", "as in linux/arm64, or all");
  if (given.includes("all")) return ["all"];
  return given.map(platformOf);
}

function platformOf(text: string): Platform {
  const [os = "", architecture = "", variant] = text.split("/");
  if (os === "" || architecture === "") throw badFlag("platform", text, "as in linux/arm64, or all");
  return { os, architecture, ...(variant === undefined ? {} : { variant }) };
}
