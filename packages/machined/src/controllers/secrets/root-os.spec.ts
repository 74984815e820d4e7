import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { rootOSController } from "./root-os.ts";

describe("rootOSController()", () => {
  it("gives a control plane machine the authority, the token and the extra names", async () => {
    const { certs, trustdInfo } = await testSecrets();
    await using test = controllerTest({ register: [rootOSController()] });
    const config = activeResource(
      await testConfig("controlplane", { additionalSans: ["10.9.8.7", "api.example.org"] }),
    );
    await test.create(config);
    await test.assertSpec(OSRootSecret, "os", {
      issuingCA: certs.os,
      acceptedCAs: [{ crt: certs.os.crt }],
      certSANIPs: ["10.9.8.7"],
      certSANDNSNames: ["api.example.org"],
      token: trustdInfo.token,
    });
    await test.remove(config);
    await test.assertNoResource(OSRootSecret, "os");
  });

  it("gives a worker what to believe but nothing to sign with", async () => {
    const { certs } = await testSecrets();
    await using test = controllerTest({ register: [rootOSController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.assertResource(OSRootSecret, "os", ({ spec }) => {
      assert.equal(spec.issuingCA, undefined);
      assert.deepEqual(spec.acceptedCAs, [{ crt: certs.os.crt }]);
    });
  });
});
