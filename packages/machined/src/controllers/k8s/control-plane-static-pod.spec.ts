import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { APIServerConfig, ConfigStatus, SecretStatus, StaticPod } from "@talos-ts/machinery/resources/k8s";
import { KubernetesDynamicCert, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneAPIServerController } from "./control-plane-api-server.ts";
import { controlPlaneControllerManagerController } from "./control-plane-controller-manager.ts";
import { controlPlaneSchedulerController } from "./control-plane-scheduler.ts";
import { controlPlaneStaticPodController } from "./control-plane-static-pod.ts";

interface Pod {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly hostNetwork: boolean;
    readonly securityContext: { readonly runAsUser: number };
    readonly containers: readonly {
      readonly command: readonly string[];
      readonly env: readonly { readonly name: string; readonly value?: string }[];
      readonly resources: unknown;
      readonly volumeMounts: readonly { readonly mountPath: string; readonly readOnly: boolean }[];
    }[];
  };
}

const pod = (spec: unknown): Pod => spec as Pod;

async function controlPlane(api = { ready: true }) {
  const clock = createManualClock();
  const test = controllerTest({
    clock,
    register: [
      controlPlaneAPIServerController(),
      controlPlaneControllerManagerController(),
      controlPlaneSchedulerController(),
      controlPlaneStaticPodController({ probe: async () => api.ready }),
    ],
  });
  await test.create(
    activeResource(await testConfig("controlplane")),
    createResource(SecretStatus, SecretStatus.id, SecretStatus.spec({ ready: true, version: "3" })),
    createResource(ConfigStatus, ConfigStatus.id, ConfigStatus.spec({ ready: true, version: "112" })),
    createResource(
      KubernetesDynamicCert,
      KubernetesDynamicCert.id,
      KubernetesDynamicCert.spec({ apiServerKubeletClient: { crt: "crt", key: "key" } }),
    ),
    createResource(
      KubernetesRootSecret,
      KubernetesRootSecret.id,
      KubernetesRootSecret.spec({ issuingCA: { crt: "ca", key: "" } }),
    ),
  );
  return { ...test, clock };
}

const etcd = createResource(Service, "etcd", Service.spec({ running: true, healthy: true }));

describe("controlPlaneStaticPodController()", () => {
  it("T-67: waits for a healthy etcd, and keeps the pods while etcd is away", async () => {
    await using test = await controlPlane();
    await test.create(createResource(Service, "etcd", Service.spec({ running: true })));
    await test.settled();
    await test.assertNoResource(StaticPod, "kube-apiserver");
    await test.update(Service, "etcd", (spec) => ({ ...spec, healthy: true }));
    for (const id of ["kube-apiserver", "kube-controller-manager", "kube-scheduler"]) {
      await test.assertResource(StaticPod, id);
    }
    await test.remove(await test.assertResource(Service, "etcd"));
    await test.settled();
    await test.assertResource(StaticPod, "kube-apiserver");
  });
  it("starts the clients of the API server once it is ready, and keeps them when it is not", async () => {
    const api = { ready: false };
    await using test = await controlPlane(api);
    await test.create(etcd);
    await test.assertResource(StaticPod, "kube-apiserver");
    await test.settled();
    await test.assertNoResource(StaticPod, "kube-scheduler");
    api.ready = true;
    await test.clock.advance(500);
    await test.assertResource(StaticPod, "kube-scheduler");
    api.ready = false;
    await test.update(APIServerConfig, "kube-apiserver", (spec) => ({ ...spec, localPort: 7443 }));
    await test.settled();
    await test.assertResource(StaticPod, "kube-controller-manager");
  });
  it("T-63, T-78: runs the API server on the host's network with the local etcd, as its own user", async () => {
    await using test = await controlPlane();
    await test.create(etcd);
    await test.assertResource(StaticPod, "kube-apiserver", ({ spec }) => {
      const { metadata, spec: made } = pod(spec);
      const [container] = made.containers;
      assert.equal(made.hostNetwork, true);
      assert.equal(made.securityContext.runAsUser, 65_534);
      assert.deepEqual(metadata.annotations, {
        "talos.dev/config-version": "1",
        "talos.dev/config-file-version": "112",
        "talos.dev/secrets-version": "3",
      });
      assert.equal(container?.command[0], "/usr/local/bin/kube-apiserver");
      for (const arg of [
        "--advertise-address=$(POD_IP)",
        "--authorization-config=/system/config/kubernetes/kube-apiserver/authorization-config.yaml",
        "--bind-address=0.0.0.0",
        "--etcd-servers=https://127.0.0.1:2379",
        "--secure-port=6443",
        "--service-account-issuer=https://10.5.0.2:6443",
        "--tls-cert-file=/system/secrets/kubernetes/kube-apiserver/apiserver.crt",
      ]) {
        assert.ok(container.command.includes(arg), arg);
      }
      assert.deepEqual(
        container.volumeMounts.map(({ mountPath, readOnly }) => [mountPath, readOnly]),
        [
          ["/system/secrets/kubernetes/kube-apiserver", true],
          ["/system/config/kubernetes/kube-apiserver", true],
          ["/var/log/audit/kube", false],
        ],
      );
    });
  });
  it("merges arguments of the user, and gives the Go runtime the limit of the pod", async () => {
    await using test = await controlPlane();
    await test.create(etcd);
    await test.assertResource(StaticPod, "kube-apiserver");
    await test.update(APIServerConfig, "kube-apiserver", (spec) => ({
      ...spec,
      extraArgs: { "authorization-mode": { values: ["Webhook"] }, "enable-admission-plugins": { values: ["Mine"] } },
      environmentVariables: { B: "$HOME", A: "1" },
      resources: { requests: { cpu: "1", memory: "" }, limits: { memory: "1000Mi" } },
    }));
    await test.assertResource(StaticPod, "kube-apiserver", ({ spec }) => {
      const [container] = pod(spec).spec.containers;
      assert.ok(container !== undefined);
      assert.ok(container.command.includes("--authorization-mode=Node,RBAC,Webhook"));
      assert.ok(container.command.includes("--enable-admission-plugins=NodeRestriction,Mine"));
      assert.ok(!container.command.some((arg) => arg.startsWith("--authorization-config")));
      assert.deepEqual(container.resources, {
        requests: { cpu: "1", memory: "512Mi" },
        limits: { memory: "1000Mi" },
      });
      assert.deepEqual(container.env.slice(1), [
        { name: "A", value: "1" },
        { name: "B", value: "$$HOME" },
        { name: "GOMEMLIMIT", value: String((1000 * 1024 * 1024 * 95) / 100) },
      ]);
    });
    await test.update(APIServerConfig, "kube-apiserver", (spec) => ({
      ...spec,
      extraArgs: { "etcd-servers": { values: ["https://elsewhere:2379"] } },
    }));
    await test.assertStatus("k8s.ControlPlaneStaticPodController", ({ lastError }) =>
      assert.match(String(lastError?.error.message), /extra arg "etcd-servers" is not allowed/),
    );
  });
});
