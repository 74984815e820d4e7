import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, isCode, isKind } from "@talos-ts/base";
import { createKubernetesClient } from "./client.ts";
import { kinds } from "./kinds.ts";
import { failWith, openWatch, startTestApiServer } from "./testing.ts";

const node = (name: string, resourceVersion = "1"): { metadata: { name: string; resourceVersion: string } } => ({
  metadata: { name, resourceVersion },
});

describe("createKubernetesClient", () => {
  it("authenticates with the client certificate and gets an object", async () => {
    await using server = await startTestApiServer(({ path }) => ({ kind: "Node", path, ...node("a") }));
    using client = createKubernetesClient({ access: server.access });
    const found = await client.get({ ...kinds.node, name: "a" });
    assert.equal(found["path"], "/api/v1/nodes/a");
    assert.equal(server.requests[0]?.clientName, "talos:admin");
    assert.equal(server.requests[0]?.authorization, undefined);
  });

  it("authenticates with a token", async () => {
    await using server = await startTestApiServer(() => node("a"));
    const { server: url, ca = "" } = server.access;
    using client = createKubernetesClient({ access: { server: url, ca, token: "abcdef.0123456789abcdef" } });
    await client.get({ ...kinds.node, name: "a" });
    assert.equal(server.requests[0]?.authorization, "Bearer abcdef.0123456789abcdef");
  });

  it("refuses a server that another CA signed", async () => {
    await using server = await startTestApiServer(() => node("a"));
    await using other = await startTestApiServer(() => node("a"));
    const { ca = "" } = other.access;
    using client = createKubernetesClient({ access: { server: server.access.server, ca } });
    await assert.rejects(client.get({ ...kinds.node, name: "a" }), /^OsError: GET \/api\/v1\/nodes\/a: .*certificate/);
    assert.equal(server.requests.length, 0);
  });

  it("reads lists in pages", async () => {
    await using server = await startTestApiServer(({ query }) =>
      query.get("continue") === null
        ? { items: [node("a")], metadata: { resourceVersion: "7", continue: "next" } }
        : { items: [node("b")], metadata: { resourceVersion: "7" } },
    );
    using client = createKubernetesClient({ access: server.access, pageSize: 1 });
    const { items, resourceVersion } = await client.list(kinds.pod, { namespace: "kube-system", labelSelector: "a=b" });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["a", "b"],
    );
    assert.equal(resourceVersion, "7");
    assert.equal(server.requests[0]?.path, "/api/v1/namespaces/kube-system/pods");
    assert.equal(server.requests[1]?.query.get("labelSelector"), "a=b");
  });

  it("turns a Status into an error with kind, code and message", async () => {
    await using server = await startTestApiServer((_request, response) =>
      failWith(response, 409, "AlreadyExists", 'nodes "a" already exists'),
    );
    using client = createKubernetesClient({ access: server.access });
    await assert.rejects(client.create({ apiVersion: "v1", kind: "Node", ...node("a") }), (err) => {
      assert.ok(isKind(err, "already-exists"));
      assert.ok(isCode(err, "kubernetes/already-exists"));
      return true;
    });
  });

  it("asks the server once for the path of a kind", async () => {
    await using server = await startTestApiServer(({ path }) =>
      path === "/apis/talos.dev/v1alpha1"
        ? {
            resources: [
              { name: "serviceaccounts/status", kind: "ServiceAccount", namespaced: true },
              { name: "serviceaccounts", kind: "ServiceAccount", namespaced: true },
            ],
          }
        : node("a"),
    );
    using client = createKubernetesClient({ access: server.access });
    const ref = { apiVersion: "talos.dev/v1alpha1", kind: "ServiceAccount", namespace: "x", name: "a" };
    await client.get(ref);
    await client.get(ref);
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      [
        "/apis/talos.dev/v1alpha1",
        "/apis/talos.dev/v1alpha1/namespaces/x/serviceaccounts/a",
        "/apis/talos.dev/v1alpha1/namespaces/x/serviceaccounts/a",
      ],
    );
    await assert.rejects(client.get({ ...ref, kind: "Other" }), /no matches for kind "Other" in version/);
  });

  it("applies on the server with its field manager", async () => {
    await using server = await startTestApiServer(({ path, body }) =>
      path === "/api/v1" ? { resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true }] } : body,
    );
    using client = createKubernetesClient({ access: server.access });
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: { x: "y" } };
    assert.deepEqual(await client.apply(object, { fieldManager: "talos", force: true }), object);
    const request = server.requests.at(-1);
    assert.equal(request?.method, "PATCH");
    assert.equal(request?.contentType, "application/apply-patch+yaml");
    assert.equal(request?.query.toString(), "fieldManager=talos&force=true");
  });

  it("evicts pods and deletes with preconditions", async () => {
    await using server = await startTestApiServer(() => ({}));
    using client = createKubernetesClient({ access: server.access });
    await client.evict({ name: "p", namespace: "n" }, { gracePeriodSeconds: 3 });
    await client.delete({ ...kinds.pod, name: "p", namespace: "n" }, { uid: "u" });
    assert.equal(server.requests[0]?.path, "/api/v1/namespaces/n/pods/p/eviction");
    assert.deepEqual(server.requests[1]?.body, {
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "u" },
    });
  });

  it("bounds the size of an answer", async () => {
    await using server = await startTestApiServer(() => ({ ...node("a"), filler: "x".repeat(2000) }));
    using client = createKubernetesClient({ access: server.access, maxBytes: 1000 });
    await assert.rejects(client.get({ ...kinds.node, name: "a" }), (err) => isCode(err, "kubernetes/answer-too-large"));
  });

  it("gives up after the timeout", async () => {
    const clock = createManualClock();
    const asked = Promise.withResolvers<void>();
    await using server = await startTestApiServer(() => asked.resolve());
    using client = createKubernetesClient({ access: server.access, clock, timeoutMs: 5000 });
    const answer = assert.rejects(client.get({ ...kinds.node, name: "a" }), (err) => isKind(err, "deadline-exceeded"));
    await asked.promise;
    await clock.advance(5000);
    await answer;
  });

  it("watches until the signal aborts", async () => {
    const end = new AbortController();
    await using server = await startTestApiServer((_request, response) => {
      const send = openWatch(response);
      send("ADDED", node("a", "5"));
      send("BOOKMARK", node("", "9"));
    });
    using client = createKubernetesClient({ access: server.access });
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const event of client.watch(kinds.node, { resourceVersion: "4", signal: end.signal })) {
        seen.push(`${event.type} ${event.object.metadata.resourceVersion ?? ""}`);
        if (seen.length === 2) end.abort();
      }
    });
    assert.deepEqual(seen, ["ADDED 5", "BOOKMARK 9"]);
    assert.equal(server.requests[0]?.query.get("resourceVersion"), "4");
  });
});
