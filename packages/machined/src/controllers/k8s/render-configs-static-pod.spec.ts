import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import {
  AdmissionControlConfig,
  AuditPolicyConfig,
  AuthorizationConfig,
  ConfigStatus,
  SchedulerConfig,
} from "@talos-ts/machinery/resources/k8s";
import { parse } from "yaml";
import { renderConfigsStaticPodController } from "./render-configs-static-pod.ts";

describe("renderConfigsStaticPodController()", () => {
  it("writes admission, audit, authorization and scheduler configuration, and versions those of the API server", async () => {
    await using root = await temporaryDirectory();
    const setOwner = async (): Promise<void> => undefined;
    await using test = controllerTest({ register: [renderConfigsStaticPodController({ root: root.path, setOwner })] });
    await test.create(
      createResource(AdmissionControlConfig, AdmissionControlConfig.id, {
        config: [{ name: "PodSecurity", configuration: { kind: "PodSecurityConfiguration" } }],
      }),
      createResource(AuditPolicyConfig, AuditPolicyConfig.id, { config: { kind: "Policy" } }),
      createResource(AuthorizationConfig, AuthorizationConfig.id, {
        image: "registry.k8s.io/kube-apiserver:v1.31.0",
        config: [
          { type: "Node", name: "node", webhook: {} },
          { type: "Webhook", name: "hook", webhook: { timeout: "3s" } },
        ],
      }),
      createResource(
        SchedulerConfig,
        SchedulerConfig.id,
        SchedulerConfig.spec({ config: { parallelism: 4, clientConnection: { qps: 10 } } }),
      ),
    );
    await test.assertSpec(ConfigStatus, ConfigStatus.id, { ready: true, version: "111" });
    const read = async (path: string): Promise<unknown> =>
      parse(await readFile(join(root.path, "system/config/kubernetes", path), "utf8"));
    assert.deepEqual(await read("kube-apiserver/admission-control-config.yaml"), {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AdmissionConfiguration",
      plugins: [{ name: "PodSecurity", configuration: { kind: "PodSecurityConfiguration" } }],
    });
    assert.deepEqual(await read("kube-apiserver/authorization-config.yaml"), {
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthorizationConfiguration",
      authorizers: [
        { type: "Node", name: "node" },
        { type: "Webhook", name: "hook", webhook: { timeout: "3s" } },
      ],
    });
    assert.deepEqual(await read("kube-scheduler/scheduler-config.yaml"), {
      apiVersion: "kubescheduler.config.k8s.io/v1",
      kind: "KubeSchedulerConfiguration",
      parallelism: 4,
      clientConnection: { qps: 10, kubeconfig: "/system/secrets/kubernetes/kube-scheduler/kubeconfig" },
    });
    await test.update(AuditPolicyConfig, AuditPolicyConfig.id, () => ({ config: { kind: "Policy", rules: [] } }));
    await test.assertSpec(ConfigStatus, ConfigStatus.id, { ready: true, version: "121" });
    assert.deepEqual(await read("kube-apiserver/auditpolicy.yaml"), { kind: "Policy", rules: [] });
    await test.update(SchedulerConfig, SchedulerConfig.id, (spec) => ({ ...spec, config: { parallelism: 8 } }));
    await test.update(AuthorizationConfig, AuthorizationConfig.id, (spec) => ({ ...spec, config: [] }));
    await test.assertSpec(ConfigStatus, ConfigStatus.id, { ready: true, version: "122" });
    assert.equal(((await read("kube-scheduler/scheduler-config.yaml")) as { parallelism?: number }).parallelism, 8);
  });
});
