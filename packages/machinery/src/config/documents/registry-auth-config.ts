import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { field } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

export const registryAuthConfig = document({
  kind: "RegistryAuthConfig",
  schemaName: "cri.RegistryAuthConfigV1Alpha1",
  doc: "Credentials for a registry.",
  name: "Host of the registry.",
  fields: {
    username: field(string(), "User name."),
    password: field(string(), "Password.", { secret: true }),
    auth: field(string(), "User name and password in base64.", { secret: true }),
    identityToken: field(string(), "Identity token.", { secret: true }),
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
