/** Measures our implementation; `peers/config/main.go` does the same with the Go one. Prints one JSON object. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  applyPatches,
  encodeConfig,
  generateConfig,
  loadConfig,
  loadPatch,
  validateConfig,
  type MachineTypeName,
} from "@talos-ts/machinery/config";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";
import {
  decodeBundle,
  generateBundle,
  issueLeaf,
  validateBundle,
  type SecretsBundle,
} from "@talos-ts/machinery/secrets";
import { createTalosconfig, encodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import type { Measured, Work } from "./sizes.ts";

const work = JSON.parse(process.argv[2] ?? "{}") as Work;

/** Milliseconds per run: the median of the rounds, each the mean of its runs. */
async function time(times: number, rounds: number, run: () => unknown): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    for (let index = 0; index < times; index += 1) await run();
    // The first round warms up, unless there is only that one.
    if (round > 0 || rounds === 0) took.push((performance.now() - started) / times);
  }
  return took.sort((left, right) => left - right)[took.length >> 1] ?? 0;
}

async function generate(secrets: SecretsBundle): Promise<readonly string[]> {
  const make = (machineType: Exclude<MachineTypeName, "unknown">): string =>
    encodeConfig(
      generateConfig({
        clusterName: "bench",
        endpoint: "https://10.6.0.2:6443",
        secrets,
        machineType,
        kubernetesVersion: defaultKubernetesVersion,
      }),
    );
  const client = await issueLeaf("talosconfig", secrets.certs.os, { roles: [roles.admin] }, { now: new Date() });
  const talosconfig = createTalosconfig("bench", ["10.6.0.2"], secrets.certs.os.crt, client);
  return [make("controlplane"), make("worker"), encodeTalosconfig(talosconfig)];
}

async function operations(path: string, times: number): Promise<readonly [number, number, number, number]> {
  const bytes = readFileSync(path);
  const config = loadConfig(bytes);
  const patch = loadPatch(readFileSync(work.patch, "utf8"));
  return [
    await time(times, work.rounds, () => loadConfig(bytes)),
    await time(times, work.rounds, () => assert.equal(validateConfig(config, { mode: "container" }).errors.length, 0)),
    await time(times, work.rounds, () => encodeConfig(config)),
    await time(times, work.rounds, () => applyPatches(config, [patch])),
  ];
}

const small = readFileSync(work.small);
const first = await time(1, 0, () => loadConfig(small));
const [smallLoad, smallValidate, smallEncode, smallPatch] = await operations(work.small, work.smallTimes);
const [largeLoad, largeValidate, largeEncode, largePatch] = await operations(work.large, work.largeTimes);
const bundle = validateBundle(decodeBundle(readFileSync(work.secrets, "utf8")), work.secrets);
const patched = applyPatches(loadConfig(readFileSync(work.large)), [loadPatch(readFileSync(work.patch, "utf8"))]);
const measured: Measured = {
  first,
  smallLoad,
  smallValidate,
  smallEncode,
  smallPatch,
  largeLoad,
  largeValidate,
  largeEncode,
  largePatch,
  generate: await time(work.generateTimes, work.rounds, () => generate(bundle)),
  withSecrets: await time(work.secretsTimes, 0, async () => generate(await generateBundle({ now: new Date() }))),
  digest: createHash("sha256").update(encodeConfig(patched)).digest("hex"),
};
console.log(JSON.stringify(measured));
