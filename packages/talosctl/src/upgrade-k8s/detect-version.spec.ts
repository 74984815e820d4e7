import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, isCode } from "@talos-ts/base";
import { createKubernetesClient } from "@talos-ts/kubernetes";
import { failWith, startTestApiServer } from "@talos-ts/kubernetes/testing";
import { detectLowestVersion } from "./detect-version.ts";

const pod = (app: string, image: string) => ({
  metadata: { name: `${app}-1`, labels: { "k8s-app": app } },
  spec: { containers: [{ name: app, image }] },
});

describe("detectLowestVersion()", () => {
  const signal = new AbortController().signal;
  const log = (): void => undefined;

  it("takes the lowest version among the components of Kubernetes", async () => {
    await using server = await startTestApiServer(() => ({
      metadata: {},
      items: [
        pod("kube-apiserver", "registry.k8s.io/kube-apiserver:v1.36.4"),
        pod("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.36.3"),
        pod("kube-dns", "registry.k8s.io/coredns/coredns:v1.14.7"),
      ],
    }));
    using client = createKubernetesClient({ access: server.access });
    assert.equal(await detectLowestVersion({ client, clock: createManualClock(), signal, log }), "1.36.3");
  });
  it("waits for an API server that is being restarted", async () => {
    let asked = 0;
    await using server = await startTestApiServer((_request, response) => {
      asked += 1;
      if (asked === 1) return failWith(response, 503, "ServiceUnavailable");
      return { metadata: {}, items: [pod("kube-proxy", "kube-proxy:v1.36.4")] };
    });
    using client = createKubernetesClient({ access: server.access });
    const clock = createManualClock();
    const told = Promise.withResolvers<string>();
    const detecting = detectLowestVersion({ client, clock, signal, log: told.resolve });
    assert.match(await told.promise, /ServiceUnavailable/);
    await clock.advance(1000);
    assert.equal(await detecting, "1.36.4");
  });
  it("fails at once where no component has a version", async () => {
    await using server = await startTestApiServer(() => ({ metadata: {}, items: [] }));
    using client = createKubernetesClient({ access: server.access });
    await assert.rejects(detectLowestVersion({ client, clock: createManualClock(), signal, log }), (err) =>
      isCode(err, "upgrade/no-version"),
    );
  });
});
