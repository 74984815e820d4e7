import type { CellBuffer } from "../../terminal/cell-buffer.ts";
import { rows } from "../../terminal/layout.ts";
import type { Scrollable } from "../key-actions.ts";
import { selectedNode, type DashboardState } from "../state.ts";
import { paintFooter } from "./footer.ts";
import { paintHeader } from "./header.ts";
import { paintMonitor } from "./monitor.ts";
import { paintSummary } from "./summary.ts";

const screens = { summary: paintSummary, monitor: paintMonitor } as const;

/** Draws the whole picture; returns the size of what can be scrolled. */
export function paintDashboard(buffer: CellBuffer, state: DashboardState, nowMs: number): Scrollable {
  const area = { x: 0, y: 0, width: buffer.width, height: buffer.height };
  const [header, body, footer] = rows(area, [1, { share: 1 }, 1]);
  if (header === undefined || body === undefined || footer === undefined) return { page: 1, length: 0 };
  paintHeader(buffer, header, selectedNode(state), nowMs);
  const scrollable = screens[state.screen](buffer, body, state, nowMs);
  paintFooter(buffer, footer, state);
  return scrollable;
}
