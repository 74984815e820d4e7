import type { Controller } from "@talos-ts/cosi";
import { imagesOf } from "@talos-ts/machinery/config";
import { AuthorizationConfig, type AuthorizationConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";
import { jsonObject } from "../internal/json-object.ts";

type Authorizers = AuthorizationConfigSpec["config"];

/** Without these no node and no component of Kubernetes could do its work; position and name if the user has none. */
const required = [
  { type: "Node", name: "node" },
  { type: "RBAC", name: "rbac" },
] as const;

/** Authorizers of the API server, in the order in which they are asked. */
export function controlPlaneAuthorizationController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneAuthorizationPolicyController",
    output: AuthorizationConfig,
    make: ({ config, cluster }) =>
      AuthorizationConfig.spec({
        image: imagesOf(config).apiServer,
        config: withRequired(
          (cluster.apiServer?.authorizationConfig ?? []).map(({ type = "", name = "", webhook }) => ({
            type,
            name,
            webhook: jsonObject(webhook),
          })),
        ),
      }),
  });
}

function withRequired(given: Authorizers): Authorizers {
  const authorizers = [...given];
  for (const [position, { type, name }] of required.entries()) {
    if (authorizers.some((authorizer) => authorizer.type === type)) continue;
    authorizers.splice(position, 0, { type, name, webhook: {} });
  }
  return authorizers;
}
