import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { DNSUpstream, HostDNSConfig, ResolverStatus } from "@talos-ts/machinery/resources/network";
import { dnsUpstreamController } from "./dns-upstream.ts";

const config = (...listenAddresses: readonly string[]) =>
  createResource(
    HostDNSConfig,
    HostDNSConfig.id,
    HostDNSConfig.spec({ enabled: true, listenAddresses, resolveMemberNames: true }),
  );

describe("dnsUpstreamController()", () => {
  it("lists servers in order, learns who is well, and never asks itself", async () => {
    const clock = createManualClock();
    const well = new Set(["10.5.0.1"]);
    const probe = async ({ host }: { readonly host: string }): Promise<void> => {
      if (!well.has(host)) throw new Error("no answer");
    };
    await using kit = controllerTest({ register: [dnsUpstreamController({ clock }, { probe })], clock });
    const dnsServers = ["10.5.0.1", "127.0.0.53", "fd00::1"];
    await kit.create(
      config("127.0.0.53:53"),
      createResource(ResolverStatus, ResolverStatus.id, { dnsServers, searchDomains: [] }),
    );
    await kit.assertSpec(DNSUpstream, "#000 10.5.0.1", { addr: "10.5.0.1:53", healthy: true });
    await kit.assertSpec(DNSUpstream, "#001 fd00::1", { addr: "[fd00::1]:53", healthy: false });
    well.add("fd00::1");
    await kit.settled();
    await clock.advance(5000);
    await kit.assertResource(DNSUpstream, "#001 fd00::1", ({ spec }) => assert.equal(spec.healthy, true));
    await kit.update(HostDNSConfig, HostDNSConfig.id, (spec) => ({ ...spec, enabled: false }));
    await kit.assertNoResource(DNSUpstream, "#000 10.5.0.1");
  });
});
