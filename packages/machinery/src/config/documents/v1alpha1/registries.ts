/** `machine.registries`, which the Registry… documents have replaced. */

import { base64Format } from "../../schema/formats.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { property, array, dictionary, object } from "../../schema/type.ts";
import { certificateAndKey } from "./common.ts";

const mirror = object(undefined, "Where images of a registry are pulled from.", {
  endpoints: property(array(string()), "Mirrors, tried in order.", { always: true }),
  overridePath: property(boolean, "Uses the path of the endpoint as it is, without /v2."),
  skipFallback: property(boolean, "Never falls back to the registry itself."),
});

const auth = object(undefined, "Credentials for a registry.", {
  username: property(string(), "User name."),
  password: property(string(), "Password.", { secret: true }),
  auth: property(string(), "User name and password in base64.", { secret: true }),
  identityToken: property(string(), "Identity token.", { secret: true }),
});

const tls = object(undefined, "TLS towards a registry.", {
  clientIdentity: property(certificateAndKey, "Client certificate."),
  ca: property(base64Format, "More CA certificates, PEM in base64."),
  insecureSkipVerify: property(boolean, "Accepts any server certificate."),
});

const registry = object(undefined, "How a registry is accessed.", {
  tls: property(tls, "TLS towards the registry."),
  auth: property(auth, "Credentials for the registry."),
});

export const registries = object(undefined, "Registries.", {
  mirrors: property(dictionary(mirror), "Mirrors by registry host."),
  config: property(dictionary(registry), "Access by registry host."),
});
