import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Address, Link } from "@talos-ts/linux";
import { planCluster } from "../cluster-plan.ts";
import { findMissing, requirementsError, type RequirementInput } from "../requirements.ts";
import { containerChecks, findContainerRequirements } from "./requirements.ts";

const root = await mkdtemp(join(tmpdir(), "provision-requirements-"));
after(() => rm(root, { recursive: true }));

const plan = planCluster({ name: "a" }, root);
const quiet: RequirementInput["network"] = { addresses: async () => [], link: async () => undefined };
const busy: RequirementInput["network"] = {
  addresses: async () => [{ address: "10.5.0.9/16", linkIndex: 3 } as Address],
  link: async () => ({ name: "docker0" }) as Link,
};

test("findMissing names every missing thing at once, with what to do", async () => {
  const missing = await findMissing({ plan, network: busy, path: root, userId: 1000 }, containerChecks.create);
  const lines = missing.map(({ what, fix }) => `${what}: ${fix}`);
  for (const line of [
    "user 0, this is user 1000: run as root",
    'program "mount": apt-get install mount',
    'program "runc": apt-get install runc',
    'free subnet 10.5.0.0/24, link "docker0" has addresses in it: choose another one with --subnet',
  ]) {
    assert.ok(lines.includes(line), `${line} is not in ${lines.join(", ")}`);
  }
});

test("findMissing asks for space for every node", async () => {
  const huge = { ...plan, nodes: Array.from({ length: 1e6 }, () => plan.nodes).flatMap((nodes) => nodes.slice(0, 1)) };
  const missing = await findMissing({ plan: huge, network: quiet, userId: 0 }, containerChecks.create);
  assert.ok(missing.some(({ what }) => what.startsWith("512000000 MiB free in")));
});

test("findMissing names the image cache that is gone, and asks for the space that images take", async () => {
  const cached = { ...plan, kubernetes: true, imageCache: join(root, "gone") } as const;
  const missing = await findMissing({ plan: cached, network: quiet, userId: 0 }, containerChecks.start);
  assert.ok(missing.some(({ what }) => what === `image cache "${join(root, "gone")}"`));
  const huge = {
    ...cached,
    nodes: Array.from({ length: 1e6 }, () => plan.nodes).flatMap((nodes) => nodes.slice(0, 1)),
  };
  const space = await findMissing({ plan: huge, network: quiet, userId: 0 }, containerChecks.create);
  assert.ok(space.some(({ what }) => what.startsWith("1024000000 MiB free in")));
});

test("requirementsError is one error that ends with the command that installs packages", () => {
  const error = requirementsError([
    { what: "user 0, this is user 7", fix: "run as root" },
    { what: 'program "runc"', fix: "apt-get install runc", package: "runc" },
  ]);
  assert.equal(error.code, "provision/requirements");
  assert.match(error.message, /it lacks: user 0, this is user 7 \(run as root\); program "runc" \(apt-get/);
  assert.equal(error.next, "apt-get install runc");
});

test("findContainerRequirements reads the addresses of this host", async () => {
  const loopback = planCluster({ name: "a", subnet: "127.0.0.0/24" }, root);
  for (const purpose of ["create", "start"] as const) {
    const missing = await findContainerRequirements(loopback, purpose);
    assert.ok(missing.some(({ what }) => what === 'free subnet 127.0.0.0/24, link "lo" has addresses in it'));
  }
});
