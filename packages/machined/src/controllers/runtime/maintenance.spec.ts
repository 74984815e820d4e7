import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import {
  APIServiceConfig,
  DevicesStatus,
  MaintenanceServiceConfig,
  MaintenanceServiceRequest,
  Version,
} from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";
import { SiderolinkConfig } from "@talos-ts/machinery/resources/siderolink";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";
import { noon } from "../internal/testing.ts";
import { apiServiceConfigController } from "./api-service-config.ts";
import { devicesStatusController } from "./devices-status.ts";
import { maintenanceConfigController } from "./maintenance-config.ts";
import { maintenanceServiceInformController } from "./maintenance-service-inform.ts";
import { versionController } from "./version.ts";

const request = createResource(MaintenanceServiceRequest, "maintenance", MaintenanceServiceRequest.spec({}));
const config = createResource(
  MaintenanceServiceConfig,
  "maintenance",
  MaintenanceServiceConfig.spec({ listenAddress: ":50000", reachableAddresses: ["10.5.0.2", "fd00::2"] }),
);
const verifying = { nodeRoutingDisabled: false, readonlyRoleMode: false, skipVerifyingClientCert: false };

describe("apiServiceConfigController()", () => {
  it("opens maintenance mode on request, closes it before the request ends, and then serves the cluster", async () => {
    await using test = controllerTest({ register: [apiServiceConfigController()] });
    await test.create(createResource(ApiCertificate, "api", ApiCertificate.spec({ skipVerifyingClientCert: true })));
    await test.settled();
    await test.assertNoResource(APIServiceConfig, "apid");
    await test.create(request, config);
    await test.assertSpec(APIServiceConfig, "apid", {
      listenAddress: ":50000",
      nodeRoutingDisabled: true,
      readonlyRoleMode: true,
      skipVerifyingClientCert: true,
    });
    await test.remove(request);
    await test.assertNoResource(APIServiceConfig, "apid");
    await test.update(ApiCertificate, "api", (spec) => ({ ...spec, skipVerifyingClientCert: false }));
    await test.assertSpec(APIServiceConfig, "apid", { listenAddress: ":50000", ...verifying });
  });
});

describe("maintenanceConfigController()", () => {
  it("listens everywhere, or only towards the management system", async () => {
    await using test = controllerTest({ register: [maintenanceConfigController()] });
    await test.assertSpec(MaintenanceServiceConfig, "maintenance", { listenAddress: ":50000", reachableAddresses: [] });
    const link = createResource(SiderolinkConfig, "siderolink", SiderolinkConfig.spec({ host: "x" }));
    await test.create(
      createResource(
        NodeAddress,
        "current",
        NodeAddress.spec({ addresses: ["172.20.0.1/24", "fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c/64"] }),
      ),
    );
    await test.assertResource(MaintenanceServiceConfig, "maintenance", ({ spec }) =>
      assert.deepEqual(spec.reachableAddresses, ["172.20.0.1", "fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c"]),
    );
    await test.create(link);
    await test.assertSpec(MaintenanceServiceConfig, "maintenance", {
      listenAddress: "[fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c]:50000",
      reachableAddresses: ["fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c"],
    });
  });
});

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

describe("versionController() and devicesStatusController()", () => {
  it("state what is true from the start", async () => {
    const platform = {
      name: "container",
      mode: "container",
      configuration: async () => undefined,
      network: async () => ({ hostname: undefined, resolvers: [], instanceType: undefined }),
    } as const;
    await using test = controllerTest({ register: [versionController(), devicesStatusController({ platform })] });
    await test.assertSpec(Version, "version", { name: "Talos", version: "v1.13.9" });
    await test.assertSpec(DevicesStatus, "devices", { ready: true });
  });
});
