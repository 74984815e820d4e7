import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  APIServiceConfig,
  MaintenanceServiceConfig,
  MaintenanceServiceRequest,
} from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";
import { apiServiceConfigController } from "./api-service-config.ts";

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
