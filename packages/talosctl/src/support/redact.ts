import type { ResourceDefinition } from "@talos-ts/cosi";
import { ExtraManifestsConfig, Manifest } from "@talos-ts/machinery/resources/k8s";
import { isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from "yaml";

/** Takes the place of a secret in a file of YAML. */
const redacted = "<REDACTED>";

/**
 * Takes the secrets out of the spec of a resource, by its type: all of a sensitive one, and those that types for everybody carry.
 *
 * @param yaml the spec as the node sent it
 */
export function redactSpec(
  { type, sensitivity }: Pick<ResourceDefinition, "type" | "sensitivity">,
  yaml: string,
): string {
  if (sensitivity !== "") return `${redacted}\n`;
  return carriers[type]?.(yaml) ?? yaml;
}

/** Types that are for everybody, but carry what a person wrote into the configuration, or the token that nodes join with. */
const carriers: Readonly<Record<string, (yaml: string) => string>> = {
  [Manifest.type](yaml) {
    const document = parseDocument(yaml);
    if (isSeq(document.contents)) for (const object of document.contents.items) redactSecret(object);
    return document.toString(layout);
  },
  [ExtraManifestsConfig.type](yaml) {
    const document = parseDocument(yaml);
    const manifests = document.get("extraManifests");
    for (const manifest of isSeq(manifests) ? manifests.items : []) {
      if (!isMap(manifest)) continue;
      redactValues(manifest.get("extraHeaders"));
      const inline = manifest.get("inlineManifest");
      if (typeof inline === "string") manifest.set("inlineManifest", redactManifests(inline));
    }
    return document.toString(layout);
  },
};

const layout = { lineWidth: 0 };

/** Text of manifests that somebody wrote; only documents with a secret are written anew. */
function redactManifests(text: string): string {
  const documents = parseAllDocuments(text);
  const found = documents.filter(({ contents }) => redactSecret(contents));
  return found.length === 0 ? text : documents.map((document) => document.toString(layout)).join("");
}

/** Takes the values out of a Secret of Kubernetes; resolves to whether the object is one. */
function redactSecret(object: unknown): boolean {
  if (!isMap(object) || object.get("kind") !== "Secret") return false;
  for (const field of ["data", "stringData"]) redactValues(object.get(field));
  return true;
}

function redactValues(values: unknown): void {
  if (!isMap(values)) return;
  for (const { key } of values.items) values.set(isScalar(key) ? key.value : key, redacted);
}

/** Takes passwords out of the URLs in a file, such as those of proxies, as `URL.Redacted` of Go does. Bytes that are no text stay. */
export function redactPasswords(content: Buffer): Buffer {
  const text = content.toString("latin1");
  const clean = text.replaceAll(passwordInUrl, "$1xxxxx@");
  return clean === text ? content : Buffer.from(clean, "latin1");
}

const passwordInUrl = /\b([a-z][a-z\d+.-]{0,31}:\/\/[^\s/:@"'<>]{0,256}:)[^\s/@"'<>]{1,512}@/gi;
