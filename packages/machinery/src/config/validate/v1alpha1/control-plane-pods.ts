import type { ClusterSection } from "../../documents/v1alpha1/config.ts";
import type { Path } from "../../load/problem.ts";
import type { Check } from "../check.ts";
import { goList } from "../rules.ts";

const authorizerTypes = ["Node", "RBAC", "Webhook"];

type Resources = NonNullable<NonNullable<ClusterSection["scheduler"]>["resources"]>;
type ApiServer = NonNullable<ClusterSection["apiServer"]>;

export function validateControlPlanePods(cluster: ClusterSection, check: Check): void {
  const problem = cluster.apiServer === undefined ? undefined : authorizationProblem(cluster.apiServer);
  if (problem !== undefined) check.error(["cluster", "apiServer", "authorizationConfig"], problem);
  else checkResources(["cluster", "apiServer", "resources"], "apiserver", cluster.apiServer?.resources, check);
  checkResources(
    ["cluster", "controllerManager", "resources"],
    "controller-manager",
    cluster.controllerManager?.resources,
    check,
  );
  checkResources(["cluster", "scheduler", "resources"], "scheduler", cluster.scheduler?.resources, check);
}

function authorizationProblem({ authorizationConfig, extraArgs }: ApiServer): string | undefined {
  if (authorizationConfig === undefined) return undefined;
  for (const argument of Object.keys(extraArgs ?? {})) {
    if (argument === "authorization-mode") {
      return "authorization-mode cannot be used in conjunction with AuthorizationConfig, use eitherr AuthorizationConfig or authorization-mode";
    }
    if (argument.startsWith("authorization-webhook-")) {
      return "authorization-webhook-* flags cannot be used in conjunction with AuthorizationConfig, use either AuthorizationConfig or authorization-webhook-* flags";
    }
  }
  for (const { type, name } of authorizationConfig) {
    const problem =
      type === undefined
        ? "authorizer type must be set"
        : name === undefined
          ? "authorizer name must be set"
          : authorizerTypes.includes(type)
            ? undefined
            : `authorizer type ${type} is not allowed, allowed types are ${goList(authorizerTypes)}`;
    if (problem !== undefined) return `apiserver authorization config validation failed: ${problem}`;
  }
  return undefined;
}

function checkResources(path: Path, pod: string, resources: Resources | undefined, check: Check): void {
  const keys = [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})];
  const unsupported = keys.find((key) => key !== "cpu" && key !== "memory");
  if (unsupported !== undefined) {
    check.error(path, `${pod} resource validation failed: unsupported pod resource ${JSON.stringify(unsupported)}`);
  }
}
