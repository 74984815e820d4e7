import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { strong, styles } from "../../terminal/style.ts";
import { nodeName, type NodeView } from "../node-view.ts";
import { bytesText, frequencyText, percentText, spanText } from "./texts.ts";

/** Draws one line about the node that is looked at. Facts of a node that does not answer are dim, behind their age. */
export function paintHeader(buffer: CellBuffer, area: Area, node: NodeView | undefined, nowMs: number): void {
  if (node === undefined) return;
  const { facts, history, failure, answeredMs } = node;
  const stale = failure !== undefined;
  let x = area.x + buffer.put(area.x, area.y, nodeName(node), strong(stale ? "red" : "yellow"));
  if (stale) {
    const age =
      answeredMs === undefined ? "never answered" : `does not answer, facts are ${spanText(nowMs - answeredMs)} old`;
    x += buffer.put(x, area.y, ` (${age})`, strong("red"), area.width);
  }
  const version = facts?.version ?? node.member?.operatingSystem ?? "n/a";
  const text = [
    ` (${version})`,
    facts?.bootTimeMs === undefined ? "" : `: uptime ${spanText(nowMs - facts.bootTimeMs)}`,
    facts?.processors === undefined ? "" : `, ${String(facts.processors.count)}x${frequencyText(facts.processors.mhz)}`,
    facts?.memory === undefined ? "" : `, ${bytesText(facts.memory.total)} RAM`,
    facts?.processes === undefined ? "" : `, PROCS ${String(facts.processes.length)}`,
    `, CPU ${percentText(history.cpu.at(-1))}, RAM ${percentText(history.memory.at(-1))}`,
  ].join("");
  buffer.put(x, area.y, text, stale ? styles.dim : styles.plain, area.x + area.width - x);
}
