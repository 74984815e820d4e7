import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isRecord, systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { KubernetesObject } from "@talos-ts/kubernetes";
import { startTestApiServer } from "@talos-ts/kubernetes/testing";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { KubernetesAccessConfig } from "@talos-ts/machinery/resources/kubeaccess";
import { kubernetesSecretFor } from "../k8s/internal/testing-kubernetes.ts";
import { talosEndpointController } from "./endpoint.ts";
import { createObjectStore } from "./testing/object-store.ts";

const service = "/api/v1/namespaces/default/services/talos";
const legacy = "/api/v1/namespaces/default/endpoints/talos";
const slice = (family: string): string => `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/talos-${family}`;

const enabled = createResource(
  KubernetesAccessConfig,
  KubernetesAccessConfig.id,
  KubernetesAccessConfig.spec({ enabled: true }),
);
const endpoints = (...addresses: readonly string[]): ReturnType<typeof Endpoint.spec> =>
  Endpoint.spec({ addresses, hosts: [] });

function addressesOf(object: KubernetesObject | undefined): readonly unknown[] {
  const items: unknown = object?.["endpoints"];
  return Array.isArray(items) ? items.flatMap((item: unknown) => (isRecord(item) ? item["addresses"] : [])) : [];
}

describe("kubeaccess.EndpointController", () => {
  it("makes the service and a slice for each family, and follows the control planes", async () => {
    const store = createObjectStore();
    store.put(legacy, { apiVersion: "v1", kind: "Endpoints", metadata: { name: "talos", namespace: "default" } });
    await using server = await startTestApiServer(store.answer);
    await using test = controllerTest({ register: [talosEndpointController({ clock: systemClock })] });
    await test.create(
      enabled,
      kubernetesSecretFor(server.access),
      createResource(Endpoint, Endpoint.ids.apiServer, endpoints("10.5.0.2", "fd00::2")),
    );
    await store.until(legacy, (object) => object === undefined);
    assert.deepEqual(store.get(service)?.["spec"], {
      ports: [{ name: "apid", port: 50_000, protocol: "TCP", targetPort: 50_000 }],
    });
    assert.deepEqual(store.get(slice("ipv4"))?.metadata.labels, {
      "kubernetes.io/service-name": "talos",
      provider: "talos.dev",
      component: "apid",
    });
    assert.deepEqual(addressesOf(store.get(slice("ipv4"))), ["10.5.0.2"]);
    assert.deepEqual(addressesOf(store.get(slice("ipv6"))), ["fd00::2"]);

    await test.update(Endpoint, Endpoint.ids.apiServer, () => endpoints("10.5.0.2", "10.5.0.3"));
    await store.until(slice("ipv4"), (object) => addressesOf(object).length === 2);
    await store.until(slice("ipv6"), (object) => object === undefined);
    const writes = server.requests.filter(({ method, path }) => method !== "GET" && path.startsWith("/apis/"));
    assert.deepEqual(
      writes.map(({ method }) => method),
      ["POST", "POST", "PUT", "DELETE"],
    );
  });

  it("writes nothing while the access is off", async () => {
    const store = createObjectStore();
    await using server = await startTestApiServer(store.answer);
    await using test = controllerTest({ register: [talosEndpointController({ clock: systemClock })] });
    await test.create(
      createResource(KubernetesAccessConfig, KubernetesAccessConfig.id, KubernetesAccessConfig.spec({})),
      kubernetesSecretFor(server.access),
      createResource(Endpoint, Endpoint.ids.apiServer, endpoints("10.5.0.2")),
    );
    await test.settled();
    assert.deepEqual(server.requests, []);
  });
});
