import { formatTable } from "@talos-ts/base";

/** One line of a benchmark: the same operation on both sides. */
export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  /** Whether more is better (operations per second) or less (time, memory). */
  readonly better: "more" | "less";
  readonly ours: number;
  /** Absent where nothing does the same, or it is not on this machine. */
  readonly peer?: number;
  /** How many times as good ours is, where that was found out by turns; otherwise it follows from the numbers. */
  readonly ratio?: number;
  /** Bound that it has to keep to, where there is no peer. */
  readonly limit?: number;
}

export interface BenchReport {
  readonly title: string;
  /** Program it was measured against. */
  readonly peer: string;
  readonly rows: readonly BenchRow[];
  /** Lines of a drawing, shown above the notes. */
  readonly chart?: readonly string[];
  /** Facts that a reader must know to judge the numbers. */
  readonly notes: readonly string[];
}

/** Computes how many times as good as the peer or the limit we are: above 1 we are better, whatever the unit. */
function ratioOf({ better, ours, peer, limit, ratio }: BenchRow): number | undefined {
  if (ratio !== undefined) return ratio;
  const other = peer ?? limit;
  if (other === undefined) return undefined;
  return better === "more" ? ours / other : other / ours;
}

export function formatReport(report: BenchReport): string {
  const rows = report.rows.map((row) => [
    row.name,
    formatNumber(row.ours),
    formatPeer(row),
    row.unit,
    formatRatio(row),
  ]);
  const table = formatTable([["OPERATION", "OURS", "PEER", "UNIT", "RATIO"], ...rows]);
  return report.chart === undefined ? table : `${table}\n${report.chart.join("\n")}\n`;
}

export function formatMarkdown(report: BenchReport): string {
  const rows = report.rows.map(
    (row) => `| ${row.name} | ${formatNumber(row.ours)} | ${formatPeer(row)} | ${row.unit} | ${formatRatio(row)} |`,
  );
  return [
    `## ${report.title}`,
    "",
    `Peer: ${report.peer}. A ratio above 1 means ours is better.`,
    "",
    "| operation | ours | peer | unit | ratio |",
    "|---|--:|--:|---|--:|",
    ...rows,
    "",
    ...(report.chart === undefined ? [] : ["```text", ...report.chart, "```", ""]),
    ...report.notes.map((note) => `- ${note}`),
    "",
  ].join("\n");
}

function formatRatio(row: BenchRow): string {
  const ratio = ratioOf(row);
  return ratio === undefined ? "" : `${ratio.toFixed(2)}×`;
}

function formatPeer({ better, peer, limit }: BenchRow): string {
  if (peer !== undefined) return formatNumber(peer);
  return limit === undefined ? "–" : `${better === "more" ? "≥" : "≤"} ${formatNumber(limit)}`;
}

/** Large numbers whole, small ones with the digits that tell them apart. */
function formatNumber(value: number): string {
  if (value >= 10) return value.toLocaleString("en-US", { maximumFractionDigits: value < 1000 ? 1 : 0 });
  return value.toLocaleString("en-US", { maximumSignificantDigits: 2 });
}
