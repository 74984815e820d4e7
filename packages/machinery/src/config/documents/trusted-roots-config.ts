import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const trustedRootsConfig = document({
  kind: "TrustedRootsConfig",
  schemaName: "security.TrustedRootsConfigV1Alpha1",
  doc: "More certificate authorities the machine trusts.",
  name: "Name of the set.",
  fields: { certificates: property(string(), "Certificates, PEM, one after another.", { always: true }) },
});
