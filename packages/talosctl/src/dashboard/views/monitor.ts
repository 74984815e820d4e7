import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { columns, rows } from "../../terminal/layout.ts";
import { styles, type Color } from "../../terminal/style.ts";
import type { Scrollable } from "../key-actions.ts";
import type { History, NodeView } from "../node-view.ts";
import { selectedNode, type DashboardState } from "../state.ts";
import { paintGauge } from "../widgets/gauge.ts";
import { paintGraph } from "../widgets/graph.ts";
import { paintPanel } from "../widgets/panel.ts";
import { paintTable } from "../widgets/table.ts";
import { bytesText, percentText, rateText } from "./texts.ts";

/** A graph of the screen: whose values, in which colour, and how the present one is written. */
interface GraphSpec {
  readonly title: string;
  readonly lines: readonly {
    readonly name: string;
    readonly of: keyof History;
    readonly color: Color;
    readonly text: (value: number | undefined) => string;
  }[];
  /** Value of a full column. @default the largest value */
  readonly max?: number;
}

const loadText = (value: number | undefined): string => value?.toFixed(2) ?? "n/a";

const graphs: readonly GraphSpec[] = [
  { title: "CPU", max: 1, lines: [{ name: "usage", of: "cpu", color: "green", text: percentText }] },
  { title: "Memory", max: 1, lines: [{ name: "used", of: "memory", color: "cyan", text: percentText }] },
  { title: "Load", lines: [{ name: "1 min", of: "load", color: "yellow", text: loadText }] },
];

const rates: readonly GraphSpec[] = [
  {
    title: "Network",
    lines: [
      { name: "rx", of: "received", color: "green", text: rateText },
      { name: "tx", of: "sent", color: "magenta", text: rateText },
    ],
  },
  {
    title: "Disks",
    lines: [
      { name: "read", of: "read", color: "cyan", text: rateText },
      { name: "write", of: "written", color: "yellow", text: rateText },
    ],
  },
];

/** Draws figures of the node over time, and its processes. */
export function paintMonitor(buffer: CellBuffer, area: Area, state: DashboardState): Scrollable {
  const node = selectedNode(state);
  const [gauges, first, second, bottom] = rows(area, [3, { share: 2 }, { share: 2 }, { share: 3 }]);
  if (gauges !== undefined) paintGauges(buffer, gauges, node);
  if (first !== undefined) paintGraphs(buffer, first, graphs, node);
  if (second !== undefined) paintGraphs(buffer, second, rates, node);
  return bottom === undefined ? { page: 1, length: 0 } : paintProcesses(buffer, bottom, state.scroll, node);
}

function paintGauges(buffer: CellBuffer, area: Area, node: NodeView | undefined): void {
  const inner = paintPanel(buffer, area, "Now");
  const [left, right] = columns(inner, [{ share: 1 }, { share: 1 }]);
  if (left !== undefined) paintGauge(buffer, { ...left, width: left.width - 2 }, "CPU", node?.history.cpu.at(-1));
  if (right !== undefined) paintGauge(buffer, right, "RAM", node?.history.memory.at(-1));
}

function paintGraphs(buffer: CellBuffer, area: Area, specs: readonly GraphSpec[], node: NodeView | undefined): void {
  const parts = columns(
    area,
    specs.map(() => ({ share: 1 })),
  );
  for (const [index, { title, lines, max }] of specs.entries()) {
    const part = parts[index];
    if (part === undefined) continue;
    const inner = paintPanel(buffer, part, title);
    const stripes = rows(
      inner,
      lines.map(() => ({ share: 1 })),
    );
    for (const [row, { name, of, color, text }] of lines.entries()) {
      const values = node?.history[of] ?? [];
      const label = `${name} ${text(values.at(-1))}`;
      const stripe = stripes[row];
      if (stripe !== undefined) paintGraph(buffer, stripe, { values, color, label, ...(max !== undefined && { max }) });
    }
  }
}

function paintProcesses(buffer: CellBuffer, area: Area, offset: number, node: NodeView | undefined): Scrollable {
  const processes = node?.processes ?? [];
  const inner = paintPanel(buffer, area, `Processes (${String(processes.length)})`);
  const style = node?.failure === undefined ? styles.plain : styles.dim;
  paintTable(buffer, inner, {
    headings: ["PID", "S", "CPU%", "MEMORY", "CPUTIME", "THREADS", "COMMAND"],
    offset,
    rows: processes.map((each) => ({
      style,
      cells: [
        String(each.pid).padStart(7),
        each.state,
        (each.cpu * 100).toFixed(1).padStart(5),
        bytesText(each.memoryBytes).padStart(7),
        each.cpuTime.toFixed(2).padStart(8),
        String(each.threads).padStart(3),
        each.command,
      ],
    })),
  });
  return { page: Math.max(1, inner.height - 1), length: processes.length };
}
