import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { columns, rows } from "../../terminal/layout.ts";
import type { Scrollable } from "../key-actions.ts";
import { selectedNode, type DashboardState } from "../state.ts";
import { paintDiagnostics, problemsOf } from "./diagnostics.ts";
import { paintLogPanel } from "./log.ts";
import { nodeInfoRows, paintNodeInfo, paintServices } from "./node-info.ts";
import { paintNodes } from "./nodes.ts";

/** Rows of a panel's frame, and of the headings of a table. */
const frame = 2;
const heading = 1;

/** Draws problems first, then all nodes, the one that is looked at, and its log. */
export function paintSummary(buffer: CellBuffer, area: Area, state: DashboardState, nowMs: number): Scrollable {
  const problems = problemsOf(state);
  // In a small terminal the log keeps a third.
  const available = area.height - Math.max(4, Math.floor(area.height / 3));
  const problemRows =
    problems.length === 0 ? 0 : Math.min(problems.length + frame, Math.max(3, Math.floor(area.height / 5)));
  // A machine's own console has one node, of which everything is shown elsewhere.
  const nodeRows = state.ownConsole
    ? 0
    : Math.min(state.nodes.length + frame + heading, Math.max(4, Math.floor(area.height / 4)));
  const infoRows = Math.max(0, Math.min(nodeInfoRows, available - problemRows - nodeRows));
  const [top, list, middle, bottom] = rows(area, [problemRows, nodeRows, infoRows, { share: 1 }]);
  const node = selectedNode(state);
  if (top !== undefined && problems.length > 0) paintDiagnostics(buffer, top, problems);
  if (list !== undefined && nodeRows > 0) paintNodes(buffer, list, state, nowMs);
  if (middle !== undefined) {
    const [left, right] = columns(middle, [{ share: 2 }, { share: state.ownConsole ? 2 : 3 }]);
    if (left !== undefined) paintNodeInfo(buffer, left, state);
    if (right !== undefined) paintServices(buffer, right, node);
  }
  return bottom === undefined ? { page: 1, length: 0 } : paintLogPanel(buffer, bottom, state);
}
