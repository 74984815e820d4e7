import { readFile } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

const file = "ssl/certs/ca-certificates.crt";

/** Whom the machine trusts: the authorities of the image, and those of the configuration. */
export function trustedRootsController({ root }: { readonly root: string }): Controller {
  /** Read once: later the file is covered by what is made from it. */
  let ofImage: string | undefined;

  return reduceController({
    name: "secrets.TrustedRootsController",
    inputs: [activeConfigInput],
    outputs: [shared(EtcFileSpec)],
    async reduce(context) {
      ofImage ??= await readOrEmpty(`${root}/etc/${file}`);
      const documents = (await activeConfig(context))?.documents ?? [];
      const added = documents
        .filter(({ kind }) => kind === "TrustedRootsConfig")
        .map(({ value }) => (value as { readonly certificates?: string }).certificates ?? "");
      const contents = `${ofImage}${added.join("\n\n")}`;
      return [createResource(EtcFileSpec, file, EtcFileSpec.spec({ contents, mode: 0o644 }))];
    },
  });
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (err) {
    if (OsError.from(err).kind === "not-found") return "";
    throw err;
  }
}
