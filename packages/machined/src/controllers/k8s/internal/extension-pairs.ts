import type { Reader } from "@talos-ts/cosi";
import { ExtensionStatus } from "@talos-ts/machinery/resources/runtime";

const prefix = "extensions.talos.dev/";
/** Names and label values of Kubernetes: at most 63 characters that begin and end with a letter or digit. */
const word = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Reports whether a text can be the value of a label. */
export function isLabelValue(text: string): boolean {
  return text === "" || word.test(text);
}

/** Names and versions of the extensions whose version `accepts`: as labels where possible, else as annotations. */
export async function extensionPairs(
  reader: Reader,
  accepts: (version: string) => boolean,
): Promise<Readonly<Record<string, string>>> {
  const pairs = (await reader.list(ExtensionStatus)).flatMap(({ spec: { metadata } }) => {
    const { name, version } = metadata;
    return word.test(name) && accepts(version) ? [[prefix + name, version] as const] : [];
  });
  return Object.fromEntries(pairs);
}
