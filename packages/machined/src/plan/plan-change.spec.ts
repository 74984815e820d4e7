import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import {
  createInMemoryState,
  createResource,
  createRuntime,
  updateTyped,
  weak,
  wrapCore,
  type Controller,
  type State,
} from "@talos-ts/cosi";
import { applyPatches, configText, loadPatch, type Config } from "@talos-ts/machinery/config";
import { talosVersion } from "@talos-ts/machinery/constants";
import { Identity } from "@talos-ts/machinery/resources/cluster";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { AddressStatus, HostnameSpec, LinkStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource, testConfig, testMachine, testSecrets } from "../controllers/internal/testing.ts";
import { addressStatusName } from "../controllers/network/address-status.ts";
import { createLogger } from "../logs/logger.ts";
import { describePlan } from "./describe-plan.ts";
import { diffOutputs } from "./diff-outputs.ts";
import { planChange } from "./plan-change.ts";
import { pureControllers } from "../controllers/index.ts";
import { renderPlan } from "./render-plan.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";
import { createDryRunDependencies } from "./dry-run-dependencies.ts";

const { platform } = testMachine();
const patched = (config: Config, ...patches: readonly string[]): Config => applyPatches(config, patches.map(loadPatch));
const hostname = (name: string): string => `apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: ${name}\nauto: off\n`;

async function node(): Promise<{ readonly machine: Parameters<typeof planChange>[0]; readonly config: Config }> {
  const generated = await testConfig("controlplane");
  const config = patched(generated, "machine: {nodeLabels: {a: b}}");
  const state = wrapCore(createInMemoryState());
  const link = LinkStatus.spec({ index: 2, operationalState: "up", linkState: true });
  const address = AddressStatus.spec({ address: "10.5.0.2/24", linkName: "eth0", linkIndex: 2, family: "inet4" });
  await state.create(activeResource(config));
  await state.create(createResource(Identity, Identity.id, Identity.spec({ nodeId: "8XuV9TZHW08DOk3bVxQjH9ih" })));
  await state.create(createResource(LinkStatus, "eth0", link));
  const owner = addressStatusName;
  await state.create(createResource(AddressStatus, "eth0/10.5.0.2/24", address, { owner }), { owner });
  return { machine: { state, platform }, config };
}

async function plan(patch: string): Promise<string> {
  const { machine, config } = await node();
  return renderPlan(await planChange(machine, config, patched(config, patch)));
}

async function contents(state: State): Promise<readonly string[]> {
  const kinds = [MachineConfig, Identity, LinkStatus, AddressStatus, NodeAddress, HostnameSpec, EtcFileSpec];
  const all = await Promise.all(kinds.map((kind) => state.list({ namespace: kind.namespace, type: kind.type })));
  return all.flat().map(({ metadata }) => JSON.stringify(metadata));
}

describe("planChange()", () => {
  it("shows a setting that is off, where a resource has no other", async () => {
    const text = await plan(
      "apiVersion: v1alpha1\nkind: EthernetConfig\nname: eth0\nfeatures:\n  tx-tcp-segmentation: false\n",
    );
    assert.match(text, /\+ EthernetSpecs\.net\.talos\.dev\(network\/eth0\)\n {6}features\.tx-tcp-segmentation: false/);
  });
  it("says that no resources change when the configuration stays the same", async () => {
    const { machine, config } = await node();
    assert.equal(renderPlan(await planChange(machine, config, config)), "Plan: No resources change, no reboot needed");
  });
  it("follows a host name to everything that is made from it", async () => {
    const { machine, config } = await node();
    const next = patched(config, hostname("next"));
    const before = patched(config, hostname("before"));
    assert.equal(
      renderPlan(await planChange(machine, before, next)),
      `Plan: 11 resources change, no reboot needed
  ~ Affiliates.cluster.talos.dev(cluster/8XuV9TZHW08DOk3bVxQjH9ih)
      hostname: before → next
      nodename: before → next
  ~ CertSANs.secrets.talos.dev(secrets/api) (values are not shown)
  ~ CertSANs.secrets.talos.dev(secrets/k8s) (values are not shown)
  ~ CertSANs.secrets.talos.dev(secrets/maintenance) (values are not shown)
  ~ EtcFileSpecs.files.talos.dev(files/hosts) (values are not shown)
  ~ EtcdSpecs.etcd.talos.dev(etcd/etcd)
      name: before → next
  ~ HostnameSpecs.net.talos.dev(network/hostname)
      hostname: before → next
  ~ HostnameStatuses.net.talos.dev(network/hostname)
      hostname: before → next
  - Members.cluster.talos.dev(cluster/before)
  + Members.cluster.talos.dev(cluster/next)
      nodeId: 8XuV9TZHW08DOk3bVxQjH9ih
      addresses: [10.5.0.2]
      hostname: next
      machineType: controlplane
      operatingSystem: Talos (${talosVersion})
      controlPlane.port: 6443
  ~ Nodenames.kubernetes.talos.dev(k8s/nodename)
      nodename: before → next`,
    );
  });
  it("shows the servers of names", async () => {
    assert.equal(
      await plan("machine: {network: {nameservers: [9.9.9.9]}}"),
      `Plan: 2 resources change, no reboot needed
  ~ ResolverSpecs.net.talos.dev(network/resolvers)
      dnsServers: [1.1.1.1, 8.8.8.8] → [9.9.9.9]
      layer: default → configuration
  ~ ResolverStatuses.net.talos.dev(network/resolvers)
      dnsServers: [1.1.1.1, 8.8.8.8] → [9.9.9.9]`,
    );
  });
  it("shows the name of the cluster, and only that its secrets change", async () => {
    assert.equal(
      await plan("cluster: {clusterName: other}"),
      `Plan: 2 resources change, no reboot needed
  ~ Infos.cluster.talos.dev(cluster/current)
      clusterName: test → other
  ~ KubernetesRootSecrets.secrets.talos.dev(secrets/k8s) (values are not shown)`,
    );
  });
  it("shows only that registries change", async () => {
    assert.equal(
      await plan("machine: {registries: {mirrors: {docker.io: {endpoints: ['https://mirror']}}}}"),
      `Plan: 1 resource changes, no reboot needed
  ~ RegistryConfigs.cri.talos.dev(cri/registries) (values are not shown)`,
    );
  });
  it("shows what comes and what goes", async () => {
    const { machine, config } = await node();
    const first = patched(config, "machine: {sysctls: {kernel.pid_max: '65536', vm.swappiness: '1'}}");
    const second = patched(config, "machine: {sysctls: {kernel.pid_max: '65537', kernel.panic: '3'}}");
    assert.equal(
      renderPlan(await planChange(machine, first, second)),
      `Plan: 3 resources change, no reboot needed
  + KernelParamSpecs.runtime.talos.dev(runtime/proc.sys.kernel.panic)
      value: 3
  ~ KernelParamSpecs.runtime.talos.dev(runtime/proc.sys.kernel.pid_max)
      value: 65536 → 65537
  - KernelParamSpecs.runtime.talos.dev(runtime/proc.sys.vm.swappiness)`,
    );
  });
  it("names what needs a reboot", async () => {
    assert.equal(await plan("machine: {env: {A: b}}"), "Plan: No resources change, reboot needed for machine.env");
  });
  it("plans the first configuration of a machine", async () => {
    const { machine, config } = await node();
    const text = renderPlan(await planChange(machine, undefined, config));
    assert.match(
      text,
      /\+ Infos\.cluster\.talos\.dev\(cluster\/current\)\n {6}clusterId: \S+\n {6}clusterName: test\n/,
    );
    assert.match(text, /^Plan: \d+ resources change, no reboot needed\n/);
  });
  it("never shows secrets", async () => {
    const { machine, config } = await node();
    const other = patched(
      config,
      "machine: {token: abcdef.0123456789abcdef}\ncluster: {token: fedcba.fedcba9876543210}",
    );
    const bundle = await testSecrets();
    const secrets = strings(bundle).filter((text) => text.length > 8 && text !== bundle.cluster.id);
    assert.ok(secrets.length > 10);
    for (const [from, to] of [
      [undefined, config],
      [config, other],
      [other, config],
    ] as const) {
      const text = renderPlan(await planChange(machine, from, to));
      assert.match(text, /OSRootSecrets\.secrets\.talos\.dev\(secrets\/os\) \(values are not shown\)/);
      assert.deepEqual(
        secrets.filter((secret) => text.includes(secret)),
        [],
      );
      assert.doesNotMatch(text, /0123456789abcdef|fedcba|PRIVATE KEY|BEGIN CERT/);
    }
  });
  it("tells which controllers would fail, and only a code where the reason could be a secret", async () => {
    const { machine, config } = await node();
    const broken = patched(config, "cluster: {etcd: {$patch: delete}}", hostname("___"));
    const { failures } = await planChange(machine, config, broken);
    assert.deepEqual(failures, [
      {
        controller: "k8s.NodenameController",
        reason: 'could not convert hostname "___" to a valid Kubernetes Node name',
      },
      { controller: "secrets.RootEtcdController", reason: "secrets/missing" },
    ]);
    const repaired = await planChange(machine, broken, config);
    assert.deepEqual(repaired.failures, []);
    assert.match(renderPlan(repaired), /\+ EtcdRootSecrets/);
  });
  it("keeps what a controller remembers in its outputs", async () => {
    const { machine, config } = await node();
    const owner = "network.NodeAddressController";
    const spec = NodeAddress.spec({ addresses: ["10.5.0.2/24", "10.9.9.9/24"], sortAlgorithm: "v1" });
    const held = { owner, finalizers: ["somebody"] };
    await machine.state.create(createResource(NodeAddress, NodeAddress.ids.accumulative, spec, held), { owner });
    const next = patched(config, "machine: {features: {nodeAddressSortAlgorithm: v2}}");
    const { changes } = await planChange(machine, config, next);
    const change = changes.find(({ pointer }) => pointer.id === NodeAddress.ids.accumulative);
    assert.deepEqual(
      change?.fields?.map(({ path }) => path),
      ["sortAlgorithm"],
    );
  });
  it("leaves the resources of the machine alone", async () => {
    const { machine, config } = await node();
    const before = await contents(machine.state);
    await planChange(machine, config, patched(config, hostname("next")));
    assert.deepEqual(await contents(machine.state), before);
  });
  it("says what then happens", async () => {
    const { machine, config } = await node();
    const { signal } = new AbortController();
    await using dependencies = await createDryRunDependencies(machine);
    const clock = createManualClock();
    const controllers = pureControllers(dependencies);
    await using runtime = createRuntime({ state: machine.state, logger: createLogger([]), clock });
    runtime.register(...controllers);
    runtime.start();
    await waitUntilIdle(runtime, clock, signal);
    const outputs = async () => {
      const kinds = controllers.flatMap(({ outputs: declared }) => declared.map(({ type }) => type));
      const namespaces = [
        "block",
        "cluster",
        "config",
        "controlplane",
        "cri",
        "etcd",
        "files",
        "k8s",
        "network",
        "runtime",
        "secrets",
      ];
      const pairs = namespaces.flatMap((namespace) => [...new Set(kinds)].map((type) => ({ namespace, type })));
      return (await Promise.all(pairs.map((kind) => machine.state.list(kind)))).flat();
    };
    const before = await outputs();
    assert.ok(before.length > 40);

    const patches = [hostname("next.example.org"), "machine: {certSANs: [a.b], sysctls: {vm.swappiness: '1'}}"];
    const next = patched(config, ...patches, "cluster: {clusterName: other, network: {podSubnets: [10.96.0.0/12]}}");
    const { changes } = await planChange(machine, config, next);
    await updateTyped(machine.state, MachineConfig, MachineConfig.ids.active, () => configText(next));
    await waitUntilIdle(runtime, clock, signal);
    assert.ok(changes.length > 12);
    assert.deepEqual(changes, diffOutputs(before, await outputs()));
  });
  it("gives up in time, and when nobody waits any more", async () => {
    const { machine, config } = await node();
    const started = Promise.withResolvers<void>();
    const stuck: Controller = {
      name: "test.StuckController",
      inputs: [weak(MachineConfig)],
      outputs: [],
      async run({ events }) {
        for await (const _event of events) {
          started.resolve();
          await new Promise(() => undefined);
        }
      },
    };
    const clock = createManualClock();
    const options = { clock, timeoutMs: 100, controllers: () => [stuck] };
    const described = describePlan(machine, config, config, options);
    await started.promise;
    await clock.advance(100);
    assert.equal(await described, "Plan: not known: Timed out after 100 ms while the change was planned");
    await assert.rejects(planChange(machine, config, config, { ...options, signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
    assert.equal(clock.sleeping, 0);
  });
});

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
