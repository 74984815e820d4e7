/** State and controller runtime against `cosi-project/runtime` (Go). */
import { join } from "node:path";
import { sizes, type Measured } from "./cosi/sizes.ts";
import { bundle } from "./lib/bundle.ts";
import { buildGoPeer } from "./lib/go-peer.ts";
import type { BenchReport, BenchRow } from "./lib/report.ts";
import { publish } from "./lib/publish.ts";
import { runSubject } from "./lib/run-subject.ts";

const lines: readonly (Omit<BenchRow, "ours" | "peer"> & { readonly key: keyof Measured })[] = [
  { key: "create", name: "create", unit: "op/s", better: "more" },
  { key: "get", name: "get", unit: "op/s", better: "more" },
  { key: "update", name: "update (get, change, put)", unit: "op/s", better: "more" },
  { key: "list", name: `list ${sizes.resources}`, unit: "op/s", better: "more" },
  { key: "fanOut", name: `fan-out to ${sizes.watchers} watchers`, unit: "events/s", better: "more" },
  { key: "chain", name: `10 transforms, ${sizes.chainItems} resources at once`, unit: "events/s", better: "more" },
  { key: "tripP50", name: "10 transforms, one change, p50", unit: "µs", better: "less" },
  { key: "tripP99", name: "10 transforms, one change, p99", unit: "µs", better: "less" },
];

const turns = 3;

/** Noise of the machine only ever makes things slower. */
function best(runs: readonly Measured[], key: keyof Measured, better: BenchRow["better"]): number {
  const values = runs.map((run) => run[key]);
  return better === "more" ? Math.max(...values) : Math.min(...values);
}

async function measure(): Promise<BenchReport> {
  const program = await buildGoPeer("cosi");
  const subject = await bundle(join(import.meta.dirname, "cosi", "subject.ts"));
  const ours = <T>(size: object): Promise<T> =>
    runSubject<T>(process.execPath, ["--expose-gc", subject, JSON.stringify(size)]);
  const peer = <T>(size: object): Promise<T> => runSubject<T>(program, [JSON.stringify(size)]);

  // By turns and never at once: what else the machine does then hits both alike.
  const oursRuns: Measured[] = [];
  const peerRuns: Measured[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    oursRuns.push(await ours<Measured>(sizes));
    peerRuns.push(await peer<Measured>(sizes));
  }
  const memory = async (side: typeof ours): Promise<readonly [empty: number, filled: number]> => {
    const empty = await side<{ rss: number }>({ ...sizes, resources: 0, rounds: 0 });
    const filled = await side<{ rss: number }>({ ...sizes, rounds: 0 });
    return [empty.rss, filled.rss];
  };
  const [oursEmpty, oursFilled] = await memory(ours);
  const [peerEmpty, peerFilled] = await memory(peer);

  return {
    title: "COSI state and controller runtime",
    peer: "`cosi-project/runtime` v1.16.1 (Go), in-memory state",
    rows: [
      ...lines.map(({ key, name, unit, better }) => ({
        name,
        unit,
        better,
        ours: best(oursRuns, key, better),
        peer: best(peerRuns, key, better),
      })),
      { name: "resident memory, 10 controllers", unit: "MiB", better: "less", ours: oursEmpty, peer: peerEmpty },
      {
        name: `more for ${sizes.resources} resources`,
        unit: "MiB",
        better: "less",
        ours: oursFilled - oursEmpty,
        peer: peerFilled - peerEmpty,
      },
    ],
    notes: [
      `Best of ${turns} turns, each the median of ${sizes.rounds} rounds after one to warm up, in processes of their own.`,
      "Ours runs on one thread; the peer uses all processors.",
      "Ours hands out immutable resources where the peer copies them: that is most of the difference in get and list.",
      "Resident memory includes Node.js itself (41 MiB before anything is loaded) and its HTTP/2 and TLS for gRPC.",
    ],
  };
}

await publish("cosi", await measure());
