import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { createManualClock, systemClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ProbeStatus } from "@talos-ts/machinery/resources/network";
import { probeMergeController } from "./probe-merge.ts";
import { probeController } from "./probe.ts";
import { probeConfigController } from "./probe-config.ts";
import { activeResource } from "../internal/testing.ts";

const config = (endpoint: string) =>
  activeResource(`apiVersion: v1alpha1\nkind: TCPProbeConfig\nname: p\nendpoint: ${endpoint}\nfailureThreshold: 2\n`);

describe("probe pipeline", () => {
  it("counts failures in a row, recovers at once, and ends with its configuration", async () => {
    const clock = createManualClock();
    let fails = false;
    const dial = async (): Promise<void> => {
      if (fails) throw new Error("refused");
    };
    const register = [probeMergeController(), probeConfigController(), probeController({ clock }, { dial })];
    await using kit = controllerTest({ register, clock });
    const id = "tcp:10.5.0.1:443";
    const document = config("10.5.0.1:443");
    await kit.create(document);
    await kit.assertSpec(ProbeStatus, id, { success: true, lastError: "" });
    fails = true;
    await kit.settled();
    await clock.advance(1000);
    await kit.settled();
    await kit.assertSpec(ProbeStatus, id, { success: true, lastError: "" });
    await clock.advance(1000);
    await kit.assertSpec(ProbeStatus, id, { success: false, lastError: "refused" });
    fails = false;
    await kit.settled();
    await clock.advance(1000);
    await kit.assertSpec(ProbeStatus, id, { success: true, lastError: "" });
    await kit.remove(document);
    await kit.assertNoResource(ProbeStatus, id);
  });
  it("connects for real", async () => {
    const server = createServer((connection) => connection.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    try {
      const register = [probeMergeController(), probeConfigController(), probeController({ clock: systemClock })];
      await using kit = controllerTest({ register });
      await kit.create(config(`127.0.0.1:${String(address.port)}`));
      await kit.assertSpec(ProbeStatus, `tcp:127.0.0.1:${String(address.port)}`, { success: true, lastError: "" });
    } finally {
      server.close();
    }
  });
});
