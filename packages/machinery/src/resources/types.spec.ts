import { createInMemoryState, createResource, getTyped, type Resource } from "@talos-ts/cosi";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AddressSpec,
  HostnameStatus,
  LinkSpec,
  MachineType,
  NodeAddress,
  type AddressSpecSpec,
  type HostnameStatusSpec,
  type LinkSpecSpec,
  type MachineTypeSpec,
  type NodeAddressSpec,
} from "./index.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Does not compile unless every type is as expected. */
const expected: readonly [
  Same<NodeAddressSpec["addresses"], readonly string[]>,
  Same<AddressSpecSpec["family"], "inet4" | "inet6" | `Family(${number})`>,
  Same<LinkSpecSpec["multicast"], boolean | undefined>,
  Same<LinkSpecSpec["wireguard"]["peers"][number]["persistentKeepaliveIntervalMs"], number>,
  Same<MachineTypeSpec, "unknown" | "init" | "controlplane" | "worker" | `Type(${number})`>,
  Same<typeof HostnameStatus.id, "hostname">,
  Same<typeof NodeAddress.ids.current, "current">,
] = [true, true, true, true, true, true, true];

test("SpecOf gives the types code expects", () => assert.ok(expected.every(Boolean)));

describe("spec", () => {
  test("starts from zero", () => {
    assert.equal(AddressSpec.spec({ address: "10.5.0.2/24" }).layer, "default");
    assert.equal(LinkSpec.spec({ bondMaster: { mode: "802.3ad" } }).bondMaster.lacpRate, "slow");
    assert.equal(MachineType.spec("worker"), "worker");
    assert.deepEqual(NodeAddress.spec(), { addresses: [], sortAlgorithm: "v1" });
  });

  test("makes specs a state gives back typed", async () => {
    const state = createInMemoryState();
    const made = createResource(HostnameStatus, HostnameStatus.id, HostnameStatus.spec({ hostname: "node-1" }));
    await state.create(made);
    const found: Resource<HostnameStatusSpec> = await getTyped(state, HostnameStatus, HostnameStatus.id);
    assert.deepEqual(found.spec, { hostname: "node-1", domainname: "" });
  });
});
