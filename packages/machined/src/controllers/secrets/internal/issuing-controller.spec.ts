import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock, type Clock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate } from "@talos-ts/crypto";
import { TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";
import { issuingController } from "./issuing-controller.ts";

/** Issues real certificates by the wall clock of this machine, moved by an offset. */
async function scene(refreshMs: number) {
  let offsetMs = 0;
  let issues = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offsetMs };
  const { pem } = await createRoot("os", new Date(Date.now() - 86_400_000));
  const controller = issuingController({
    name: "secrets.TestController",
    inputs: [],
    output: TrustdCertificate,
    clock,
    refreshMs,
    plan: async () => ({
      basis: ["same"],
      async issue() {
        issues += 1;
        const names = { fqdn: "a", dnsNames: ["a"], ipAddresses: [] };
        const server = await issueLeaf("trustdServer", pem, names, { now: new Date(clock.now()) });
        return TrustdCertificate.spec({ server, acceptedCAs: [] });
      },
    }),
  });
  const test = controllerTest({ register: [controller] });
  const issued = (count: number) =>
    test.assertResource(TrustdCertificate, TrustdCertificate.id, () => assert.ok(issues >= count, String(issues)));
  return {
    issued,
    jump: (ms: number) => void (offsetMs += ms),
    issues: () => issues,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

describe("issuingController() by the real clock", () => {
  it("issues again when the time of the refresh has come", async () => {
    await using parts = await scene(200);
    await parts.issued(4);
  });

  for (const [direction, jumpMs] of [
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ] as const) {
    it(`issues again when the clock is set ${direction} by an hour`, async () => {
      // Checked every 100 ms: 144 times until the refresh.
      await using parts = await scene(14_400);
      await parts.issued(1);
      const before = parts.issues();
      parts.jump(jumpMs);
      const { spec } = await parts.issued(before + 1);
      const { notBefore } = parseCertificate(spec.server?.crt ?? "");
      assert.ok(Math.abs(notBefore.getTime() - (Date.now() + jumpMs)) < 900_000, notBefore.toISOString());
    });
  }
});
