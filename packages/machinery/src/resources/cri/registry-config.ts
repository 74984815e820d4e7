import {
  bool,
  defineResource,
  field,
  list,
  map,
  message,
  omitEmpty,
  optional,
  text,
  type SpecOf,
} from "../dsl/index.ts";
import { base64, certificateAndKey } from "../values/index.ts";

const registryEndpointConfig = message({
  endpoint: field(1, text),
  overridePath: field(2, bool),
});

const registryMirrorConfig = message({
  endpoints: field(1, list(registryEndpointConfig)),
  skipFallback: omitEmpty(3, bool),
});

const registryAuthConfig = message({
  username: omitEmpty(1, text),
  password: omitEmpty(2, text),
  auth: omitEmpty(3, text),
  identityToken: omitEmpty(4, text),
});

const registryTLSConfig = message({
  clientIdentity: omitEmpty(1, optional(certificateAndKey)),
  ca: omitEmpty(2, base64),
  insecureSkipVerify: omitEmpty(3, bool),
});

/** Mirrors, credentials and TLS settings of image registries. */
export const RegistryConfig = defineResource({
  type: "RegistryConfigs.cri.talos.dev",
  namespace: "cri",
  sensitivity: "sensitive",
  id: "registries",
  spec: {
    mirrors: omitEmpty(1, map(registryMirrorConfig)),
    auths: omitEmpty(2, map(registryAuthConfig)),
    tls: omitEmpty(3, map(registryTLSConfig)),
  },
});

export type RegistryConfigSpec = SpecOf<typeof RegistryConfig>;
