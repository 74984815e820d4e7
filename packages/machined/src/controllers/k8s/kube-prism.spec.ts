import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { freePort, readAll, startUpstream } from "@talos-ts/host/testing";
import { KubePrismConfig, KubePrismStatus } from "@talos-ts/machinery/resources/k8s";
import { kubePrismController } from "./kube-prism.ts";

describe("k8s.KubePrismController", () => {
  it("listens before any API server is up and reports health as it changes", async () => {
    const clock = createManualClock();
    const port = await freePort();
    let healthy = false;
    await using upstream = await startUpstream((socket) => socket.end("apiserver"));
    await using test = controllerTest({
      register: [kubePrismController({ clock, probe: async () => (healthy ? "ready" : "unreachable") })],
    });
    const endpoints = [{ host: "127.0.0.1", port: upstream.port }];
    const config = createResource(
      KubePrismConfig,
      KubePrismConfig.id,
      KubePrismConfig.spec({ host: "127.0.0.1", port: port, endpoints }),
    );
    await test.create(config);
    const host = `127.0.0.1:${String(port)}`;
    await test.assertSpec(KubePrismStatus, KubePrismStatus.id, { host, healthy: false });
    // Not healthy by its probe, yet tried, as nothing else is there.
    const client = connect({ port, host: "127.0.0.1" });
    assert.equal((await readAll(client)).toString(), "apiserver");

    healthy = true;
    await test.settled();
    await clock.advance(1000);
    await test.assertSpec(KubePrismStatus, KubePrismStatus.id, { host, healthy: true });

    await test.remove(config);
    await test.assertNoResource(KubePrismStatus, KubePrismStatus.id);
    await assert.rejects(once(connect({ port, host: "127.0.0.1" }), "connect"), { code: "ECONNREFUSED" });
  });
});
