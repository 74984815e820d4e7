import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MaintenanceServiceConfig, MaintenanceServiceRequest } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";
import { noon } from "../internal/testing.ts";
import { maintenanceServiceInformController } from "./maintenance-service-inform.ts";

const request = createResource(MaintenanceServiceRequest, "maintenance", MaintenanceServiceRequest.spec({}));

const config = createResource(
  MaintenanceServiceConfig,
  "maintenance",
  MaintenanceServiceConfig.spec({ listenAddress: ":50000", reachableAddresses: ["10.5.0.2", "fd00::2"] }),
);

describe("maintenanceServiceInformController()", () => {
  it("prints once how to upload a configuration", async () => {
    const { pem } = await createRoot("maintenance", noon);
    const server = await issueLeaf(
      "maintenanceServer",
      pem,
      { dnsNames: [], ipAddresses: ["10.5.0.2"] },
      { now: noon },
    );
    await using test = controllerTest({ register: [maintenanceServiceInformController()] });
    await test.create(request, config);
    await test.create(
      createResource(ApiCertificate, "api", ApiCertificate.spec({ server, skipVerifyingClientCert: true })),
    );
    await test.settled();
    await test.update(MaintenanceServiceConfig, "maintenance", (spec) => ({
      ...spec,
      reachableAddresses: ["10.5.0.3"],
    }));
    await test.settled();
    const lines = test.logs.filter(({ level }) => level === "info").map(({ message }) => message);
    assert.deepEqual(
      lines.map((line) => line.replace(/'[^']+'/, "'…'")),
      [
        "this machine is reachable at:",
        "\t10.5.0.2",
        "\tfd00::2",
        "server certificate issued",
        "upload configuration using talosctl:",
        "\ttalosctl apply-config --insecure --nodes 10.5.0.2 --file <config.yaml>",
        "optionally with node fingerprint check:",
        "\ttalosctl apply-config --insecure --nodes 10.5.0.2 --cert-fingerprint '…' --file <config.yaml>",
        "this machine is reachable at:",
        "\t10.5.0.3",
      ],
    );
  });
});
