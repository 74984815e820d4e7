import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { readOptional } from "@talos-ts/host";
import { documentsOf, trustedRootsConfig } from "@talos-ts/machinery/config";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

const file = "ssl/certs/ca-certificates.crt";

/** Publishes the trusted CAs: those of the image, and those of the configuration. */
export function trustedRootsController({ root }: { readonly root: string }): Controller {
  /** Read once: afterwards the file of the image is hidden by the mounted one. */
  let ofImage: string | undefined;

  return reduceController({
    name: "secrets.TrustedRootsController",
    inputs: [activeConfigInput],
    outputs: [shared(EtcFileSpec)],
    async reduce(context) {
      ofImage ??= (await readOptional(`${root}/etc/${file}`))?.toString() ?? "";
      const config = await activeConfig(context);
      const documents = config === undefined ? [] : documentsOf(config, trustedRootsConfig);
      const added = documents.map(({ certificates = "" }) => certificates);
      const contents = `${ofImage}${added.join("\n\n")}`;
      return [createResource(EtcFileSpec, file, EtcFileSpec.spec({ contents, mode: 0o644 }))];
    },
  });
}
