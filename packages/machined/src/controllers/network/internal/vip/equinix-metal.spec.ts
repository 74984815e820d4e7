import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { equinixMetalMover } from "./equinix-metal.ts";
import { startTestProvider } from "./testing-provider.ts";

const { signal } = new AbortController();

describe("equinixMetalMover()", () => {
  it("takes the address from other devices, assigns it, and gives it back", async () => {
    const addresses = [
      { address: "203.0.113.8", assignments: [{ href: "/metal/v1/ips/other" }] },
      { address: "203.0.113.9", assignments: [{ href: "/metal/v1/ips/before" }] },
    ];
    const answers: Readonly<Record<string, unknown>> = {
      "GET /metadata": { id: "device" },
      "GET /devices/device?include=project": { id: "device", project: { id: "project" } },
      "GET /projects/project/ips": { ip_addresses: addresses },
      "DELETE /ips/before": "",
      "POST /devices/device/ips": { id: "now" },
      "DELETE /ips/now": "",
    };
    await using provider = await startTestProvider(({ line }) => answers[line]);
    const { url } = provider;
    const mover = equinixMetalMover({
      root: "/nonexistent",
      ip: "203.0.113.9",
      apiToken: "secret",
      url,
      metadataUrl: url,
    });
    await mover.release(signal);
    assert.equal(provider.requests.length, 0);
    await mover.acquire(signal);
    await mover.release(signal);
    assert.deepEqual(
      provider.requests.map(({ line }) => line),
      Object.keys(answers),
    );
    assert.deepEqual(provider.requests[4]?.body, { address: "203.0.113.9" });
    assert.equal(provider.requests[1]?.headers["x-auth-token"], "secret");
  });
});
