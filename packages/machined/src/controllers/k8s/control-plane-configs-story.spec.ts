import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  AdmissionControlConfig,
  AuditPolicyConfig,
  AuthorizationConfig,
  ControllerManagerConfig,
  ExtraManifestsConfig,
  SchedulerConfig,
} from "@talos-ts/machinery/resources/k8s";
import { activeResource } from "../internal/testing.ts";
import { controlPlaneAdmissionControlController } from "./control-plane-admission-control.ts";
import { controlPlaneAuditPolicyController } from "./control-plane-audit-policy.ts";
import { controlPlaneAuthorizationController } from "./control-plane-authorization.ts";
import { controlPlaneControllerManagerController } from "./control-plane-controller-manager.ts";
import { controlPlaneExtraManifestsController } from "./control-plane-extra-manifests.ts";
import { controlPlaneSchedulerController } from "./control-plane-scheduler.ts";

function configs() {
  return controllerTest({
    register: [
      controlPlaneAdmissionControlController(),
      controlPlaneAuditPolicyController(),
      controlPlaneAuthorizationController(),
      controlPlaneControllerManagerController(),
      controlPlaneExtraManifestsController(),
      controlPlaneSchedulerController(),
    ],
  });
}

const none = { requests: { cpu: "", memory: "" }, limits: {} };

describe("control plane configuration", () => {
  it("has defaults for everything", async () => {
    await using test = configs();
    await test.create(
      activeResource(
        "version: v1alpha1\nmachine: {type: controlplane}\ncluster: {controlPlane: {endpoint: 'https://cp.lan:6443'}}\n",
      ),
    );
    await test.assertSpec(AdmissionControlConfig, "admission-control", { config: [] });
    await test.assertSpec(AuditPolicyConfig, "audit-policy", {
      config: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] },
    });
    await test.assertSpec(AuthorizationConfig, "authorization", {
      image: "registry.k8s.io/kube-apiserver:v1.36.4",
      config: [
        { type: "Node", name: "node", webhook: {} },
        { type: "RBAC", name: "rbac", webhook: {} },
      ],
    });
    await test.assertSpec(ControllerManagerConfig, "kube-controller-manager", {
      enabled: true,
      image: "registry.k8s.io/kube-controller-manager:v1.36.4",
      cloudProvider: "",
      podCIDRs: ["10.244.0.0/16"],
      serviceCIDRs: ["10.96.0.0/12"],
      extraArgs: {},
      extraVolumes: [],
      environmentVariables: {},
      resources: none,
    });
    await test.assertSpec(SchedulerConfig, "kube-scheduler", {
      enabled: true,
      image: "registry.k8s.io/kube-scheduler:v1.36.4",
      extraArgs: {},
      extraVolumes: [],
      environmentVariables: {},
      resources: none,
      config: {},
    });
    await test.assertSpec(ExtraManifestsConfig, "extra-manifests", { extraManifests: [] });
  });
  it("T-70: takes what the configuration says, manifests in the order of their priorities", async () => {
    await using test = configs();
    await test.create(
      activeResource(`version: v1alpha1
machine:
  type: controlplane
  controlPlane: {scheduler: {disabled: true}}
cluster:
  controlPlane: {endpoint: "https://cp.lan:6443"}
  network: {cni: {name: custom, urls: ["https://cni.lan/a.yaml"]}}
  externalCloudProvider: {enabled: true, manifests: ["https://ccm.lan/b.yaml"]}
  extraManifests: ["https://extra.lan/c.yaml"]
  extraManifestHeaders: {Token: "1234567"}
  inlineManifests: [{name: mine, contents: "kind: Namespace"}]
  apiServer:
    admissionControl: [{name: PodSecurity, configuration: {kind: PodSecurityConfiguration}}]
    auditPolicy: {kind: Policy, rules: []}
    authorizationConfig:
      - {type: Webhook, name: hook, webhook: {timeout: 3s}}
      - {type: RBAC, name: mine}
`),
    );
    await test.assertSpec(AdmissionControlConfig, "admission-control", {
      config: [{ name: "PodSecurity", configuration: { kind: "PodSecurityConfiguration" } }],
    });
    await test.assertSpec(AuditPolicyConfig, "audit-policy", { config: { kind: "Policy", rules: [] } });
    await test.assertSpec(AuthorizationConfig, "authorization", {
      image: "registry.k8s.io/kube-apiserver:v1.36.4",
      config: [
        { type: "Node", name: "node", webhook: {} },
        { type: "Webhook", name: "hook", webhook: { timeout: "3s" } },
        { type: "RBAC", name: "mine", webhook: {} },
      ],
    });
    const extra = { url: "", extraHeaders: {}, inlineManifest: "" };
    await test.assertSpec(ExtraManifestsConfig, "extra-manifests", {
      extraManifests: [
        { ...extra, name: "https://cni.lan/a.yaml", url: "https://cni.lan/a.yaml", priority: "05" },
        { ...extra, name: "https://ccm.lan/b.yaml", url: "https://ccm.lan/b.yaml", priority: "30" },
        {
          ...extra,
          name: "https://extra.lan/c.yaml",
          url: "https://extra.lan/c.yaml",
          priority: "99",
          extraHeaders: { Token: "1234567" },
        },
        { ...extra, name: "mine", priority: "99", inlineManifest: "kind: Namespace" },
      ],
    });
  });
});
