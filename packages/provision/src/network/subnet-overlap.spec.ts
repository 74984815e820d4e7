import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadConfig } from "@talos-ts/machinery/config";
import { planCluster } from "../cluster-plan.ts";
import { refuseOverlap } from "./subnet-overlap.ts";

const plan = (subnet: string) => planCluster({ name: "a", subnet, kubernetes: true }, "/clusters");
const config = (network: object) =>
  loadConfig(JSON.stringify({ version: "v1alpha1", machine: { type: "worker" }, cluster: { network } }));

describe("refuseOverlap()", () => {
  it("refuses the default ranges of services and pods, and proposes a network that is free", () => {
    assert.throws(() => refuseOverlap(plan("10.100.0.0/24"), config({}), ["10.5.0.1/24"]), {
      code: "provision/subnet-overlap",
      message:
        /--subnet "10\.100\.0\.0\/24": it overlaps 10\.96\.0\.0\/12, the addresses that Kubernetes gives to services/,
      next: "talosctl cluster create --name a --subnet 10.6.0.0/24",
    });
    assert.throws(() => refuseOverlap(plan("10.244.3.0/24"), config({}), []), { message: /gives to pods/ });
  });

  it("goes by the ranges of the configuration", () => {
    const other = config({ podSubnets: ["10.5.0.0/16", "fd00::/56"], serviceSubnets: ["172.30.0.0/16"] });
    refuseOverlap(plan("10.100.0.0/24"), other, []);
    assert.throws(() => refuseOverlap(plan("10.5.0.0/24"), other, []), {
      next: "talosctl cluster create --name a --subnet 10.6.0.0/24",
    });
  });

  it("lets the default network pass", () => {
    refuseOverlap(plan("10.5.0.0/24"), config({}), []);
  });
});
