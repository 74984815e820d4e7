/** Machine configurations against `siderolabs/talos/pkg/machinery` (Go). */
import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeInputs } from "./config/inputs.ts";
import type { Measured, Work } from "./config/sizes.ts";
import { bundle } from "./lib/bundle.ts";
import { buildGoPeer } from "./lib/go-peer.ts";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { publish } from "./lib/publish.ts";
import type { BenchReport } from "./lib/report.ts";
import { runSubject } from "./lib/run-subject.ts";

type Timed = Exclude<keyof Measured, "digest">;

const least = (values: readonly number[]): number => Math.min(...values);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Noise of the machine only ever makes things slower; chance (prime numbers) goes both ways. */
const lines: readonly { key: Timed; name: string; join: (values: readonly number[]) => number }[] = [
  { key: "first", name: "load a control plane, first in a process", join: least },
  { key: "smallLoad", name: "load a control plane", join: least },
  { key: "smallValidate", name: "validate it", join: least },
  { key: "smallEncode", name: "encode it", join: least },
  { key: "smallPatch", name: "merge a patch into it", join: least },
  { key: "largeLoad", name: "load 1 MiB, 5,500 documents", join: least },
  { key: "largeValidate", name: "validate them", join: least },
  { key: "largeEncode", name: "encode them", join: least },
  { key: "largePatch", name: "merge a patch into them", join: least },
  { key: "generate", name: "generate control plane, worker, talosconfig", join: least },
  { key: "withSecrets", name: "the same with new secrets (RSA 4096)", join: mean },
];

const turns = 3;

async function measure(work: Work, signal: AbortSignal): Promise<BenchReport> {
  const program = await buildGoPeer("config");
  const subject = await bundle(join(import.meta.dirname, "config", "subject.ts"));
  const ours: Measured[] = [];
  const peer: Measured[] = [];
  // By turns and never at once: what else the machine does then hits both alike.
  for (let turn = 0; turn < turns; turn += 1) {
    ours.push(await runSubject<Measured>(process.execPath, [subject, JSON.stringify(work)], signal));
    peer.push(await runSubject<Measured>(program, [JSON.stringify(work)], signal));
  }
  assert.equal(ours[0]?.digest, peer[0]?.digest, "both sides write the patched configuration alike");
  const bytes = (await stat(work.large)).size;
  return {
    title: "Machine configuration",
    peer: "`siderolabs/talos/pkg/machinery` v1.13.9 (Go)",
    rows: lines.map(({ key, name, join: joined }) => ({
      name,
      unit: "ms",
      better: "less",
      ours: joined(ours.map((run) => run[key])),
      peer: joined(peer.map((run) => run[key])),
    })),
    notes: [
      `Best of ${turns} turns, each the median of ${work.rounds} rounds after one to warm up, in processes of their own; with new secrets, the mean of ${turns * work.secretsTimes}.`,
      `The large configuration has ${(bytes / 1024 ** 2).toFixed(2)} MiB: a control plane with 100 inline manifests, 4,000 static hosts and 1,500 registry mirrors.`,
      "Both sides write the patched large configuration byte for byte the same; the benchmark fails if they do not.",
      "Ours keeps the place of every value while it loads, for messages with line and column; the peer does not.",
    ],
  };
}

await interruptible(async (signal) => {
  const folder = await mkdtemp(join(tmpdir(), "bench-config-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  await publish("config", await measure(await writeInputs(folder), signal));
});
