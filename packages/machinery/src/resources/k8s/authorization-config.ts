import { defineResource, field, list, message, text, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

const authorizationAuthorizers = message({
  type: field(1, text),
  name: field(2, text),
  webhook: field(3, struct),
});

/** Authorizers of the API server, in order. */
export const AuthorizationConfig = defineResource({
  type: "AuthorizationConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  sensitivity: "sensitive",
  id: "authorization",
  spec: {
    image: field(1, text),
    config: field(2, list(authorizationAuthorizers)),
  },
});

export type AuthorizationConfigSpec = SpecOf<typeof AuthorizationConfig>;
