import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, strong, styles } from "../../terminal/style.ts";
import { nodeName, type NodeView } from "../node-view.ts";
import type { DashboardState } from "../state.ts";
import { paintPanel } from "../widgets/panel.ts";
import { paintTable, type TableRow } from "../widgets/table.ts";
import { percentText, rateText, spanText } from "./texts.ts";

const headings = ["NODE", "SEEN", "ROLE", "STAGE", "READY", "SERVICES", "CPU", "RAM", "LOAD", "RX", "TX"];
const readyColumn = headings.indexOf("READY");
const servicesColumn = headings.indexOf("SERVICES");
/** States of a service that is as it should be. */
const settled: ReadonlySet<string> = new Set(["Running", "Finished", "Skipped"]);

/** Draws a row for each node, whether it answers or not. */
export function paintNodes(buffer: CellBuffer, area: Area, state: DashboardState, nowMs: number): void {
  const { nodes, selected } = state;
  const away = nodes.filter(({ failure }) => failure !== undefined).length;
  const cluster = nodes.find(({ facts }) => facts?.clusterName)?.facts?.clusterName;
  const title = [
    cluster === undefined ? "Nodes" : `Nodes of ${cluster}`,
    `${String(nodes.length - away)} of ${String(nodes.length)} answer`,
  ].join(", ");
  const inner = paintPanel(buffer, area, title, strong(away > 0 ? "red" : "default"));
  const chosen = nodes.findIndex(({ address }) => address === selected);
  const offset = Math.max(0, chosen - (inner.height - 2));
  paintTable(buffer, inner, {
    headings,
    rows: nodes.map((node) => row(node, node.address === selected, nowMs)),
    offset,
  });
}

function row(node: NodeView, selected: boolean, nowMs: number): TableRow {
  const { facts, history, member, failure, answeredMs } = node;
  const services = facts?.services ?? [];
  const bad = services.some(({ healthy, state }) => healthy === false || state === "Failed");
  const up = services.filter(({ healthy, state }) => healthy !== false && settled.has(state)).length;
  const stale = failure !== undefined;
  const cells = [
    `${selected ? ">" : " "} ${nodeName(node)}`,
    answeredMs === undefined ? (stale ? "never" : "…") : stale ? `${spanText(nowMs - answeredMs)} ago` : "now",
    member?.machineType ?? "?",
    facts?.stage ?? "?",
    facts?.ready === undefined ? "?" : facts.ready ? "yes" : "no",
    facts?.services === undefined ? "?" : `${String(up)}/${String(services.length)} up`,
    percentText(history.cpu.at(-1)),
    percentText(history.memory.at(-1)),
    facts?.load?.[0].toFixed(2) ?? "n/a",
    rateText(history.received.at(-1)),
    rateText(history.sent.at(-1)),
  ];
  if (stale) return { cells, style: styles.dim, cellStyles: { 0: strong("red") } };
  return {
    cells,
    style: selected ? strong() : styles.plain,
    cellStyles: {
      ...(facts?.ready === false && { [readyColumn]: colored("yellow") }),
      ...((bad || up < services.length) && { [servicesColumn]: colored(bad ? "red" : "yellow") }),
    },
  };
}
