import assert from "node:assert/strict";
import { test } from "node:test";
import { planCluster, type ProvisionerName } from "./cluster-plan.ts";
import { provisionerOf, provisioners } from "./provisioners.ts";

const plan = planCluster({ name: "a" }, "/clusters");

test("provisionerOf gives the provisioner that the plan names", () => {
  assert.equal(provisionerOf(plan), provisioners.container);
});

test("provisionerOf refuses a plan of a provisioner that this version does not have", () => {
  assert.throws(() => provisionerOf({ ...plan, provisioner: "vm" as ProvisionerName }), {
    code: "provision/unknown-provisioner",
    message: 'Cannot use cluster "a": its provisioner is "vm", expected container or qemu',
  });
});

test("provisioners are listed under their own names", () => {
  for (const [name, provisioner] of Object.entries(provisioners)) assert.equal(provisioner.name, name);
});
