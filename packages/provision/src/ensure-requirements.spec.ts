import assert from "node:assert/strict";
import { test } from "node:test";
import { silent } from "@talos-ts/host";
import { planCluster } from "./cluster-plan.ts";
import { ensureRequirements } from "./ensure-requirements.ts";
import type { Missing } from "./requirements.ts";

const plan = planCluster({ name: "a" }, "/nonexistent");
const lacking = (missing: readonly Missing[]): Parameters<typeof ensureRequirements>[0] & { asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    async findMissing(_plan, purpose) {
      asked.push(purpose);
      return [...missing];
    },
  };
};

test("ensureRequirements leaves a host alone that has everything", async () => {
  const stages: string[] = [];
  const host = lacking([]);
  await ensureRequirements(host, plan, "create", { install: true, progress: ({ stage }) => stages.push(stage) });
  assert.deepEqual(stages, []);
  assert.deepEqual(host.asked, ["create"]);
});

test("ensureRequirements names what is missing when it may not install", async () => {
  const runc = { what: 'program "runc"', fix: "apt-get install runc", package: "runc" };
  await assert.rejects(ensureRequirements(lacking([runc]), plan, "start", { progress: silent }), {
    code: "provision/requirements",
    next: "apt-get install runc",
  });
});

test("ensureRequirements installs nothing for what no package brings", async () => {
  const stages: string[] = [];
  const root = { what: "control groups", fix: "mount -t cgroup2 cgroup2 /sys/fs/cgroup" };
  const work = { install: true, progress: ({ stage }: { readonly stage: string }) => void stages.push(stage) };
  await assert.rejects(ensureRequirements(lacking([root]), plan, "create", work), { code: "provision/requirements" });
  assert.deepEqual(stages, []);
});
