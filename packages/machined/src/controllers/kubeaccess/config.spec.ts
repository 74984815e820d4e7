import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubernetesAccessConfig } from "@talos-ts/machinery/resources/kubeaccess";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { activeResource } from "../internal/testing.ts";
import { kubernetesAccessConfigController } from "./config.ts";

const main = (type: string, enabled: boolean): string => `version: v1alpha1
machine:
  type: ${type}
  features:
    kubernetesTalosAPIAccess:
      enabled: ${String(enabled)}
      allowedRoles: [os:reader]
      allowedKubernetesNamespaces: [kube-system]
cluster: {}
`;

describe("kubeaccess.ConfigController", () => {
  it("publishes the rules while the access is enabled", async () => {
    await using test = controllerTest({ register: [kubernetesAccessConfigController()] });
    await test.create(activeResource(main("controlplane", true)));
    await test.assertSpec(KubernetesAccessConfig, KubernetesAccessConfig.id, {
      enabled: true,
      allowedAPIRoles: ["os:reader"],
      allowedKubernetesNamespaces: ["kube-system"],
    });
    await test.update(MachineConfig, MachineConfig.ids.active, () => main("controlplane", false));
    await test.assertSpec(KubernetesAccessConfig, KubernetesAccessConfig.id, {
      enabled: false,
      allowedAPIRoles: [],
      allowedKubernetesNamespaces: [],
    });
  });

  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [kubernetesAccessConfigController()] });
    await test.create(activeResource(main("worker", true)));
    await test.settled();
    await test.assertNoResource(KubernetesAccessConfig, KubernetesAccessConfig.id);
  });
});
