import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, strong } from "../../terminal/style.ts";
import type { Scrollable } from "../key-actions.ts";
import { logSources, type DashboardState } from "../state.ts";
import { paintLog } from "../widgets/log-view.ts";
import { paintPanel } from "../widgets/panel.ts";

/** Draws the log that is followed, with its name and how far back it is scrolled. */
export function paintLogPanel(buffer: CellBuffer, area: Area, state: DashboardState): Scrollable {
  const { logSource, logLines, logFailure, scroll } = state;
  const sources = logSources(state);
  const place = `${String(sources.indexOf(logSource) + 1)}/${String(sources.length)}`;
  const back = scroll > 0 ? `, ${String(scroll)} lines back` : "";
  const inner = paintPanel(buffer, area, `Log of ${logSource} (${place})${back}`, strong());
  if (logFailure !== undefined && inner.height > 0) {
    buffer.put(inner.x, inner.y, logFailure, colored("red"), inner.width);
    paintLog(buffer, { ...inner, y: inner.y + 1, height: inner.height - 1 }, logLines, scroll);
  } else {
    paintLog(buffer, inner, logLines, scroll);
  }
  return { page: Math.max(1, inner.height), length: logLines.length };
}
