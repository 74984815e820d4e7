import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createManualClock, isRecord, type Clock, type ManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest, type ControllerTest } from "@talos-ts/cosi/conformance";
import type { KubernetesObject } from "@talos-ts/kubernetes";
import { startTestApiServer, type TestApiServer } from "@talos-ts/kubernetes/testing";
import { KubernetesAccessConfig } from "@talos-ts/machinery/resources/kubeaccess";
import { OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { contextCertificate, decodeTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import type { WithMutex } from "../../etcd/mutex.ts";
import { noon, testSecrets } from "../internal/testing.ts";
import { kubernetesSecretFor } from "../k8s/internal/testing-kubernetes.ts";
import { serviceAccountController } from "./crd.ts";
import { createObjectStore, type ObjectStore } from "./testing/object-store.ts";

const hour = 3_600_000;
const accounts = (namespace: string): string => `/apis/talos.dev/v1alpha1/namespaces/${namespace}/serviceaccounts`;
const secretPath = "/api/v1/namespaces/kube-system/secrets/tool";

function account(namespace: string, roles?: readonly string[]): KubernetesObject {
  const metadata = { name: "tool", namespace };
  return { apiVersion: "talos.dev/v1alpha1", kind: "ServiceAccount", metadata, spec: roles && { roles } };
}

function talosconfigOf(secret: KubernetesObject | undefined): string {
  const data: unknown = secret?.["data"];
  return isRecord(data) ? Buffer.from(String(data["config"]), "base64").toString() : "";
}

interface Setup extends AsyncDisposable {
  readonly clock: ManualClock;
  /** Moves the wall clock only. */
  readonly jump: (ms: number) => void;
  readonly store: ObjectStore;
  readonly server: TestApiServer;
  readonly test: ControllerTest;
}

async function setUp(withMutex: WithMutex = (_name, signal, work) => work(signal)): Promise<Setup> {
  const clock = createManualClock(noon.getTime());
  let ahead = 0;
  const jumping: Clock = { ...clock, now: () => clock.now() + ahead };
  const store = createObjectStore();
  const server = await startTestApiServer(store.answer);
  const controller = serviceAccountController({ clock: jumping, root: "", withMutex });
  const test = controllerTest({ clock, register: [controller] });
  const { os } = (await testSecrets()).certs;
  await test.create(
    createResource(
      KubernetesAccessConfig,
      KubernetesAccessConfig.id,
      KubernetesAccessConfig.spec({
        enabled: true,
        allowedAPIRoles: ["os:reader", "os:etcd:backup"],
        allowedKubernetesNamespaces: ["kube-system"],
      }),
    ),
    createResource(OSRootSecret, OSRootSecret.id, OSRootSecret.spec({ issuingCA: os })),
    createResource(Service, "etcd", Service.spec({ running: true, healthy: true })),
    kubernetesSecretFor(server.access),
  );
  return {
    clock,
    jump: (ms) => {
      ahead += ms;
    },
    store,
    server,
    test,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("kubeaccess.CRDController", () => {
  it("gives an account a secret of its own, with a talosconfig of its roles", async () => {
    await using setup = await setUp();
    setup.store.put(`${accounts("kube-system")}/tool`, account("kube-system", ["os:reader"]));
    const secret = await setup.store.until(secretPath, (object) => object !== undefined);
    assert.deepEqual(secret?.metadata.ownerReferences, [
      {
        apiVersion: "talos.dev/v1alpha1",
        kind: "ServiceAccount",
        name: "tool",
        uid: `uid-${accounts("kube-system")}/tool`,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    const config = decodeTalosconfig(talosconfigOf(secret));
    assert.deepEqual(resolveContext(config).endpoints, ["talos.default"]);
    const certificate = contextCertificate(resolveContext(config), "default", noon);
    assert.deepEqual(certificate?.roles, ["os:reader"]);
    assert.equal(certificate?.notAfter.getTime(), noon.getTime() + 6 * hour);
  });

  it("makes a secret again that somebody removed, and another when the roles change", async () => {
    await using setup = await setUp();
    setup.store.put(`${accounts("kube-system")}/tool`, account("kube-system", ["os:reader"]));
    await setup.store.until(secretPath, (object) => object !== undefined);
    setup.store.delete(secretPath);
    const first = await setup.store.until(secretPath, (object) => object !== undefined);
    setup.store.put(`${accounts("kube-system")}/tool`, account("kube-system", ["os:etcd:backup"]));
    const second = await setup.store.until(secretPath, (object) => talosconfigOf(object) !== talosconfigOf(first));
    const context = resolveContext(decodeTalosconfig(talosconfigOf(second)));
    assert.deepEqual(contextCertificate(context, "default", noon)?.roles, ["os:etcd:backup"]);
  });

  it("renews a certificate in the last hour of its life", async () => {
    await using setup = await setUp();
    setup.store.put(`${accounts("kube-system")}/tool`, account("kube-system", ["os:reader"]));
    const first = await setup.store.until(secretPath, (object) => object !== undefined);
    setup.jump(5 * hour + 1000);
    // The accounts are looked at every minute.
    while (talosconfigOf(setup.store.get(secretPath)) === talosconfigOf(first)) {
      await setup.clock.advance(1000);
      // Requests, whose time limit is on this clock, need some turns of the event loop.
      for (let turn = 0; turn < 50; turn++) await setImmediate();
    }
    const context = resolveContext(decodeTalosconfig(talosconfigOf(setup.store.get(secretPath))));
    const rest = (contextCertificate(context, "default", noon)?.notAfter.getTime() ?? 0) - noon.getTime();
    assert.ok(rest > 10 * hour && rest < 12 * hour, String(rest));
  });

  it("says in status and event why an account gets none", async () => {
    await using setup = await setUp();
    const cases = [
      ["default", ["os:reader"], "Namespace is not allowed: default", "ErrNamespaceNotAllowed"],
      ["kube-system", ["os:admin", "os:reader"], "Roles not allowed: [os:admin]", "ErrRolesNotAllowed"],
      ["kube-public", undefined, "Roles not found", "ErrRolesNotFound"],
    ] as const;
    for (const [namespace, roles] of cases) {
      setup.store.put(`${accounts(namespace)}/tool`, account(namespace, roles));
    }
    for (const [namespace, , failureReason, reason] of cases) {
      const path = `${accounts(namespace)}/tool`;
      const served = await setup.store.until(path, (object) => object?.["status"] !== undefined);
      assert.deepEqual(served?.["status"], { failureReason });
      const events = `/api/v1/namespaces/${namespace}/events/`;
      await setup.store.until(path, () => setup.store.under(events).length > 0);
      assert.deepEqual(
        setup.store.under(events).map((event) => [event["type"], event["reason"], event["message"]]),
        [["Warning", reason, failureReason]],
      );
    }
    assert.deepEqual(setup.store.under("/api/v1/namespaces/kube-system/secrets/"), []);
  });

  it("leaves a secret alone that is not its own", async () => {
    await using setup = await setUp();
    const foreign = { apiVersion: "v1", kind: "Secret", metadata: { name: "tool" }, data: { config: "mine" } };
    setup.store.put(secretPath, foreign);
    const path = `${accounts("kube-system")}/tool`;
    setup.store.put(path, account("kube-system", ["os:reader"]));
    const refused = await setup.store.until(path, (object) => object?.["status"] !== undefined);
    assert.deepEqual(refused?.["status"], {
      failureReason: "Secret already exists and is not managed by controller: kube-system/tool",
    });
    assert.deepEqual(setup.store.get(secretPath)?.["data"], { config: "mine" });
  });

  it("does nothing while another control plane holds the lock", async () => {
    const asked: string[] = [];
    await using setup = await setUp(async (name, signal) => {
      asked.push(name);
      return await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    });
    setup.store.put(`${accounts("kube-system")}/tool`, account("kube-system", ["os:reader"]));
    await setup.test.settled();
    assert.deepEqual(asked, ["talos:v1:serviceAccountCRDController"]);
    assert.deepEqual(setup.server.requests, []);
  });
});
