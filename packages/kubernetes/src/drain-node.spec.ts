import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createKubernetesClient } from "./client.ts";
import { cordonNode, drainNode, uncordonNode, type DrainOptions } from "./drain-node.ts";
import { failWith, startTestApiServer } from "./testing.ts";

const pod = (name: string, metadata: object = {}, phase = "Running"): object => ({
  metadata: { name, namespace: "default", uid: name, ...metadata },
  status: { phase },
});

describe("drainNode()", () => {
  it("evicts what can go, again while a budget forbids it, and waits until it is gone", async () => {
    let refusals = 1;
    const gone = new Set<string>();
    await using server = await startTestApiServer(({ method, path }, response) => {
      if (path === "/api/v1/pods") {
        const daemon = { ownerReferences: [{ kind: "DaemonSet", name: "d", controller: true }] };
        const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };
        return {
          items: [pod("web"), pod("proxy", daemon), pod("apiserver", mirror), pod("done", {}, "Succeeded")],
          metadata: {},
        };
      }
      if (method === "POST") {
        refusals -= 1;
        if (refusals >= 0) return failWith(response, 429, "TooManyRequests", "disruption budget");
        gone.add(path.split("/").at(-2) ?? "");
        return {};
      }
      return gone.has(path.split("/").at(-1) ?? "") ? failWith(response, 404, "NotFound") : pod("web");
    });
    using client = createKubernetesClient({ access: server.access });
    const clock = createManualClock();
    const lines: string[] = [];
    const options: DrainOptions = {
      client,
      node: "n",
      clock,
      signal: new AbortController().signal,
      log: (line) => void lines.push(line),
    };
    let ended = false;
    const draining = drainNode(options).finally(() => {
      ended = true;
    });
    const isOver = (): boolean => ended;
    while (!isOver()) {
      await clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await draining;
    assert.deepEqual(lines, ["evicting pod default/web"]);
    assert.deepEqual([...gone], ["web"]);
    assert.equal(server.requests[0]?.query.get("fieldSelector"), "spec.nodeName=n");
  });
});

describe("cordonNode()", () => {
  it("leaves a cordon of somebody else as it is", async () => {
    let unschedulable = true;
    await using server = await startTestApiServer(() => ({ metadata: { name: "n" }, spec: { unschedulable } }));
    using client = createKubernetesClient({ access: server.access });
    const options = { client, node: "n", signal: new AbortController().signal };
    assert.equal(await cordonNode(options), false);
    assert.deepEqual(
      server.requests.map(({ method }) => method),
      ["GET"],
    );
    unschedulable = false;
    assert.equal(await cordonNode(options, { "talos.dev/cordoned": "true" }), true);
    assert.deepEqual(server.requests.at(-1)?.body, {
      metadata: { annotations: { "talos.dev/cordoned": "true" } },
      spec: { unschedulable: true },
    });
    await cordonNode(options);
    assert.deepEqual(server.requests.at(-1)?.body, { spec: { unschedulable: true } });
    await uncordonNode(options);
    assert.deepEqual(server.requests.at(-1)?.body, { spec: { unschedulable: null } });
  });
});
