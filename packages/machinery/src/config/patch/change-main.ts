import { OsError } from "@talos-ts/base";
import { makeConfig, type Config } from "../config.ts";
import type { MainConfig } from "../documents/v1alpha1/config.ts";
import { changed } from "./strategic.ts";

/**
 * Changes the main document by a function. What the function leaves alone keeps its bytes in `encodePreserving`.
 *
 * @throws {OsError} `config/no-main-document`
 */
export function changeMain(config: Config, change: (main: MainConfig) => MainConfig): Config {
  if (config.main === undefined) {
    throw new OsError({
      kind: "failed-precondition",
      code: "config/no-main-document",
      message: "Cannot change the configuration: it has no v1alpha1 document",
      next: "talosctl get machineconfig -o yaml",
    });
  }
  const main = change(config.main);
  const documents = config.documents.map((document) =>
    document.kind === "v1alpha1" ? changed(document, main) : document,
  );
  return makeConfig(documents, { origin: config.origin });
}
