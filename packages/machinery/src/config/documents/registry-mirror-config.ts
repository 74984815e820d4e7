import { document } from "../schema/document.ts";
import { urlFormat } from "../schema/formats.ts";
import { parseGoUrl } from "../schema/go-url.ts";
import { boolean } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

const endpoint = object("cri.RegistryEndpoint", "A mirror.", {
  url: property(urlFormat("http|https"), "Address of the mirror.", {
    always: true,
    required: true,
    example: "https://my-private-registry.local:5000",
  }),
  overridePath: property(boolean, "Uses the path of the address as it is, without /v2."),
});

export const registryMirrorConfig = document({
  kind: "RegistryMirrorConfig",
  schemaName: "cri.RegistryMirrorConfigV1Alpha1",
  doc: "Where images of a registry are pulled from.",
  name: "Host of the registry; * stands for every registry without a document of its own.",
  fields: {
    endpoints: property(array(endpoint), "Mirrors, tried in order."),
    skipFallback: property(boolean, "Never falls back to the registry itself."),
  },
  validate: (mirror, check) => {
    requireName(mirror, check);
    for (const [index, { url: address }] of (mirror.endpoints ?? []).entries()) {
      const path = ["endpoints", index, "url"];
      if (address === undefined) {
        check.error(path, `endpoints[${index}].url must be specified`);
        continue;
      }
      const { scheme } = parseGoUrl(address);
      if (scheme === "http" || scheme === "https") continue;
      check.error(path, `endpoints[${index}].url has unsupported scheme: ${JSON.stringify(scheme)}`);
    }
  },
});
