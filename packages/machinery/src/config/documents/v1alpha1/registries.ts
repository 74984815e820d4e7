/** `machine.registries`, which the Registry… documents have replaced. */

import { base64 } from "../../schema/formats.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { field, list, map, object } from "../../schema/type.ts";
import { certificateAndKey } from "./common.ts";

const mirror = object(undefined, "Where images of a registry are pulled from.", {
  endpoints: field(list(string()), "Mirrors, tried in order.", { always: true }),
  overridePath: field(boolean, "Uses the path of the endpoint as it is, without /v2."),
  skipFallback: field(boolean, "Never falls back to the registry itself."),
});

const auth = object(undefined, "Credentials for a registry.", {
  username: field(string(), "User name."),
  password: field(string(), "Password.", { secret: true }),
  auth: field(string(), "User name and password in base64.", { secret: true }),
  identityToken: field(string(), "Identity token.", { secret: true }),
});

const tls = object(undefined, "TLS towards a registry.", {
  clientIdentity: field(certificateAndKey, "Client certificate."),
  ca: field(base64, "More CA certificates, PEM in base64."),
  insecureSkipVerify: field(boolean, "Accepts any server certificate."),
});

const registry = object(undefined, "How a registry is accessed.", {
  tls: field(tls, "TLS towards the registry."),
  auth: field(auth, "Credentials for the registry."),
});

export const registries = object(undefined, "Registries.", {
  mirrors: field(map(mirror), "Mirrors by registry host."),
  config: field(map(registry), "Access by registry host."),
});
