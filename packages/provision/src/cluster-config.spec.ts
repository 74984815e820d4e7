import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { parseCertificate } from "@talos-ts/crypto";
import { loadConfig } from "@talos-ts/machinery/config";
import { generateBundle, secretsContract } from "@talos-ts/machinery/secrets";
import { contextCredentials } from "@talos-ts/machinery/talosconfig";
import { generateClusterConfigs } from "./cluster-config.ts";
import { planCluster } from "./cluster-plan.ts";

const plan = planCluster({ name: "a", controlPlanes: 3, workers: 1 }, "/clusters");
// Bundles of this version have no key that takes seconds to make.
const secrets = await generateBundle({ now: new Date(), contract: secretsContract("v1.6") });
const configs = await generateClusterConfigs(plan, {
  secrets,
  patches: {
    all: ['{"machine":{"sysctls":{"vm.swappiness":"0"}}}'],
    worker: ['{"machine":{"nodeLabels":{"role":"x"}}}'],
  },
});

test("generateClusterConfigs points all nodes to the load balancer of several control planes and keeps secrets from workers", () => {
  const [control, worker] = (["controlplane", "worker"] as const).map((type) => configs.nodeConfig({ type }));
  assert.match(control ?? "", /endpoint: https:\/\/10\.5\.0\.1:6443/);
  assert.match(worker ?? "", /endpoint: https:\/\/10\.5\.0\.1:6443/);
  assert.match(control ?? "", /certSANs:\n(?: +- .*\n)* +- 10\.5\.0\.1\n/);
  assert.match(control ?? "", /serviceAccount:/);
  assert.doesNotMatch(worker ?? "", /serviceAccount:/);
});

test("generateClusterConfigs patches all nodes, then one kind", () => {
  for (const type of ["controlplane", "worker"] as const) {
    const text = configs.nodeConfig({ type });
    assert.deepEqual(loadConfig(text).main?.machine?.sysctls, { "vm.swappiness": "0" });
    assert.equal(loadConfig(text).main?.machine?.nodeLabels?.["role"], type === "worker" ? "x" : undefined);
  }
});

test("generateClusterConfigs turns the image cache on where nodes have one, and a patch can turn it off", async () => {
  const cached = planCluster({ name: "a", imageCache: "/cache/layout" }, "/clusters");
  const enabled = async (...all: readonly string[]): Promise<boolean | undefined> => {
    const made = await generateClusterConfigs(cached, { secrets, patches: { all } });
    return loadConfig(made.nodeConfig({ type: "worker" })).main?.machine?.features?.imageCache?.localEnabled;
  };
  assert.equal(await enabled(), true);
  assert.equal(await enabled('{"machine":{"features":{"imageCache":{"localEnabled":false}}}}'), false);
  const plain = loadConfig(configs.nodeConfig({ type: "worker" })).main?.machine;
  assert.equal(plain?.features?.imageCache, undefined);
});

test("generateClusterConfigs lets the administrator in through every control plane", () => {
  const context = configs.talosconfig.contexts.get("a");
  assert.ok(context);
  assert.deepEqual(context.endpoints, ["10.5.0.2", "10.5.0.3", "10.5.0.4"]);
  const { client } = contextCredentials(context, "a");
  assert.deepEqual(parseCertificate(client?.crt ?? "").subject.organizations, ["os:admin"]);
});

test("generateClusterConfigs refuses patches no node would accept", async () => {
  await assert.rejects(
    generateClusterConfigs(plan, { secrets, patches: { all: ['{"machine":{"type":"nonsense"}}'] } }),
    (err) => isCode(err, "provision/bad-config") || isCode(err, "config/bad-patch"),
  );
});
