import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { createManualClock } from "@talos-ts/base";
import { getTyped } from "@talos-ts/cosi";
import type { CallContext } from "@talos-ts/grpc";
import { applyPatches, configText, generateConfig, loadPatch, type Config } from "@talos-ts/machinery/config";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { metadataKeys } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";
import { generateBundle, secretsContract } from "@talos-ts/machinery/secrets";
import {
  ApplyConfigurationRequest_Mode as Mode,
  ApplyConfigurationRequestSchema,
} from "@talos-ts/proto/machine/config";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { noon, testConfig } from "../../../controllers/internal/testing.ts";
import { createLogger } from "../../../logs/logger.ts";
import { createTryPeriod } from "../../support/config/try-period.ts";
import { createTestNode, type TestNode } from "../../testing.ts";
import { applyConfiguration } from "./apply-configuration.ts";

const bytes = (config: Config): Uint8Array => Buffer.from(configText(config));
const patched = (config: Config, patch: string): Config => applyPatches(config, [loadPatch(patch)]);
/** Applied at once, and not. */
const sysctl = "machine: {sysctls: {kernel.pid_max: '65536'}}";
const env = "machine: {env: {A: b}}";

async function configured(): Promise<TestNode & { readonly config: Config }> {
  const node = await createTestNode();
  const config = await testConfig("controlplane");
  await node.machine.config.activate(config);
  await node.machine.config.persist(config);
  return { ...node, config };
}
const active = async ({ machine }: TestNode): Promise<string> =>
  (await getTyped(machine.state, MachineConfig, MachineConfig.ids.active)).spec;
const persistent = async ({ machine }: TestNode): Promise<string> =>
  (await getTyped(machine.state, MachineConfig, MachineConfig.ids.persistent)).spec;

describe("applyConfiguration()", () => {
  it("applies at once what can be, and keeps it", async () => {
    await using node = await configured();
    const next = patched(node.config, sysctl);
    const request = { data: bytes(next), mode: Mode.AUTO };
    const [answer] = (await node.client(MachineService).applyConfiguration(request)).messages;
    assert.equal(answer?.mode, Mode.NO_REBOOT);
    assert.equal(answer.modeDetails, "Applied configuration without a reboot");
    assert.match(await active(node), /kernel.pid_max/);
    assert.equal(await persistent(node), await active(node));
    assert.deepEqual(node.sequences, []);
  });
  it("reboots for what needs it", async () => {
    await using node = await configured();
    const request = { data: bytes(patched(node.config, env)), mode: Mode.AUTO };
    const [answer] = (await node.client(MachineService).applyConfiguration(request)).messages;
    assert.equal(answer?.modeDetails, "Applied configuration with a reboot");
    assert.deepEqual(node.sequences, [{ name: "reboot", request: {}, takeOver: true }]);
    assert.doesNotMatch(await active(node), /A: b/);
    assert.match(await persistent(node), /A: b/);
  });
  it("refuses to apply at once what needs a reboot, and shows no secrets while saying so", async () => {
    await using node = await configured();
    const request = { data: bytes(patched(node.config, env)), mode: Mode.NO_REBOOT };
    await assert.rejects(node.client(MachineService).applyConfiguration(request), (err: Error) => {
      assert.match(err.message, /^this config change can't be applied in immediate mode\ndiff:\n/);
      assert.match(err.message, /\+ {8}A: b/);
      return true;
    });
  });
  it("stages a configuration for the next boot", async () => {
    await using node = await configured();
    const before = await active(node);
    const request = { data: bytes(patched(node.config, env)), mode: Mode.STAGED };
    const [answer] = (await node.client(MachineService).applyConfiguration(request)).messages;
    assert.equal(answer?.modeDetails, "Staged configuration to be applied after the next reboot");
    assert.equal(await active(node), before);
    assert.match(await persistent(node), /A: b/);
  });
  it("tries a configuration without keeping it", async () => {
    await using node = await configured();
    const data = bytes(patched(node.config, sysctl));
    const request = { data, mode: Mode.TRY, tryModeTimeout: { seconds: 90n } };
    const [answer] = (await node.client(MachineService).applyConfiguration(request)).messages;
    assert.equal(
      answer?.modeDetails,
      "Applied configuration without a reboot\n" +
        "The config is applied in 'try' mode and will be automatically reverted back in 1m30s",
    );
    assert.match(await active(node), /kernel.pid_max/);
    assert.doesNotMatch(await persistent(node), /kernel.pid_max/);
    // Applying for good ends the trial, and with it the timer.
    await node.client(MachineService).applyConfiguration({ data, mode: Mode.NO_REBOOT });
  });
  it("takes a confirmation only while a configuration is on trial", async () => {
    await using node = await configured();
    const data = bytes(patched(node.config, sysctl));
    const confirm = () =>
      node
        .client(MachineService)
        .applyConfiguration({ data, mode: Mode.NO_REBOOT }, { metadata: { [metadataKeys.confirmTrial]: "true" } });
    await assert.rejects(confirm(), { kind: "failed-precondition", message: /no configuration is on trial/ });
    assert.doesNotMatch(await active(node), /kernel.pid_max/);
    await node.client(MachineService).applyConfiguration({ data, mode: Mode.TRY, tryModeTimeout: { seconds: 90n } });
    await confirm();
    assert.match(await persistent(node), /kernel.pid_max/);
  });
  it("only looks in a dry run", async () => {
    await using node = await configured();
    const before = await active(node);
    const dry = async (config: Config): Promise<string> => {
      const request = { data: bytes(config), mode: Mode.AUTO, dryRun: true };
      return (await node.client(MachineService).applyConfiguration(request)).messages[0]?.modeDetails ?? "";
    };
    assert.equal(
      await dry(node.config),
      "Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff:\n\nNo changes.\n\n" +
        "Plan: No resources change, no reboot needed",
    );
    const changed = await dry(patched(node.config, sysctl));
    assert.match(changed, /Config diff:\n\n--- a\n\+\+\+ b\n@@/);
    assert.match(
      changed,
      /\n\nPlan: 1 resource changes, no reboot needed\n {2}\+ KernelParamSpecs.runtime.talos.dev\(runtime\/proc.sys.kernel.pid_max\)\n {6}value: 65536$/,
    );
    assert.match(await dry(patched(node.config, env)), /\n\nPlan: No resources change, reboot needed for machine.env$/);
    assert.equal(await active(node), before);
  });
  it("refuses what is no configuration, is invalid, or lacks the main document", async () => {
    await using node = await configured();
    const apply = (text: string) =>
      node.client(MachineService).applyConfiguration({ data: Buffer.from(text), mode: Mode.AUTO });
    await assert.rejects(apply("{"), { kind: "invalid-argument" });
    const bad = configText(node.config).replace("type: controlplane", "type: nonsense");
    await assert.rejects(apply(bad), { kind: "invalid-argument", message: /^1 error occurred/ });
    await assert.rejects(apply("apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: x\n"), {
      kind: "invalid-argument",
      message:
        "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
    });
  });
  it("is open to readers only while the machine has no complete configuration", async () => {
    await using node = await createTestNode();
    const reader = node.client(MachineService, roles.reader);
    const data = bytes(await testConfig("worker"));
    await reader.applyConfiguration({ data, mode: Mode.REBOOT });
    assert.match(await active(node), /type: worker/);
    assert.deepEqual(node.sequences, []);
    await assert.rejects(reader.applyConfiguration({ data, mode: Mode.AUTO }), { message: "not authorized" });
  });
  it("refuses a configuration of another cluster unless that is confirmed, and the dry run says so", async () => {
    await using node = await configured();
    const client = node.client(MachineService);
    const before = await active(node);
    const secrets = await generateBundle({ now: noon, contract: { ...secretsContract(), serviceAccountKey: "ecdsa" } });
    const foreign = generateConfig({
      clusterName: "other",
      endpoint: "https://10.5.0.2:6443",
      secrets,
      machineType: "controlplane",
      kubernetesVersion: "1.36.3",
      options: { hostDnsForwardKubeDns: true },
    });
    const other = { data: bytes(foreign), mode: Mode.AUTO };
    await assert.rejects(client.applyConfiguration(other), {
      kind: "failed-precondition",
      message: /machine\.ca differs .*; machine\.token differs .*; cluster\.id differs /,
    });
    assert.equal(await active(node), before);
    const [dry] = (await client.applyConfiguration({ ...other, dryRun: true })).messages;
    assert.match(dry?.modeDetails ?? "", /^WARNING: the configuration belongs to another cluster/);
    await client.applyConfiguration(other, { metadata: { "talos-allow-identity-change": "true" } });
    assert.notEqual(await persistent(node), before);
  });
  it("serves one at a time", async () => {
    await using node = await createTestNode();
    const gate = Promise.withResolvers<void>();
    const nothing = async (): Promise<undefined> => undefined;
    const config = { current: nothing, activate: nothing, keep: nothing, persist: () => gate.promise };
    const handler = applyConfiguration({ ...node.machine, config });
    const request = create(ApplyConfigurationRequestSchema, { data: bytes(await testConfig("worker")) });
    const context = { values: new Map(), metadata: new Map() } as unknown as CallContext;
    const first = handler(request, context);
    await assert.rejects(async () => handler(request, context), {
      kind: "failed-precondition",
      message: "another apply configuration is already in progress",
    });
    gate.resolve();
    await first;
    await handler(request, context);
  });
});

describe("createTryPeriod()", () => {
  it("brings back the configuration before the first trial, and none once it is ended", async () => {
    const clock = createManualClock();
    const applied: Config[] = [];
    const [first, second] = [await testConfig("worker"), await testConfig("controlplane")];
    let current = first;
    const config = {
      current: async () => current,
      activate: async (next: Config) => void applied.push((current = next)),
      keep: async () => undefined,
      persist: async () => undefined,
    };
    const trial = createTryPeriod({ clock, config, logger: createLogger([]) });
    trial.begin(first, 1000);
    current = second;
    trial.begin(second, 1000);
    await clock.advance(1000);
    assert.deepEqual(applied, [first]);
    trial.begin(current, 1000);
    trial.end();
    await clock.advance(5000);
    assert.equal(applied.length, 1);
  });
});
