import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

export const registryAuthConfig = document({
  kind: "RegistryAuthConfig",
  schemaName: "cri.RegistryAuthConfigV1Alpha1",
  doc: "Credentials for a registry.",
  name: "Host of the registry.",
  fields: {
    username: property(string(), "User name."),
    password: property(string(), "Password.", { secret: true }),
    auth: property(string(), "User name and password in base64.", { secret: true }),
    identityToken: property(string(), "Identity token.", { secret: true }),
  },
  validate: (auth, check) => {
    requireName(auth, check);
    const byName = auth.username !== undefined;
    const byToken = auth.identityToken !== undefined;
    if (byName && byToken) {
      check.error([], "only one of username/password or identityToken authentication can be specified");
    }
    if (auth.auth !== undefined && (byName || byToken)) {
      check.error([], "only one of auth, username/password or identityToken authentication can be specified");
    }
  },
});
