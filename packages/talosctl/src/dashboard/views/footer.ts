import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, strong, styles, type Style } from "../../terminal/style.ts";
import { nodeName } from "../node-view.ts";
import type { DashboardState, ScreenName } from "../state.ts";

const screens: readonly (readonly [name: ScreenName, key: string, title: string])[] = [
  ["summary", "F1", "Summary"],
  ["monitor", "F2", "Monitor"],
];

/** Draws the nodes and the screens, with the present ones marked: `[cp-1 | w-1] --- [Summary] --- [F2: Monitor]`. */
export function paintFooter(buffer: CellBuffer, area: Area, state: DashboardState): void {
  const { nodes, selected, screen, ownConsole } = state;
  const parts: (readonly [text: string, style: Style])[] = [["[", styles.plain]];
  for (const [index, node] of aroundSelected(nodes, selected).entries()) {
    if (index > 0) parts.push([" | ", styles.dim]);
    const away = node.failure !== undefined;
    const style = node.address === selected ? strong(away ? "red" : "green") : away ? colored("red") : styles.plain;
    parts.push([nodeName(node), style]);
  }
  parts.push(["]", styles.plain]);
  for (const [name, key, title] of screens) {
    parts.push([" --- ", styles.dim]);
    parts.push(name === screen ? [`[${title}]`, strong("green")] : [`[${key}: ${title}]`, styles.plain]);
  }
  parts.push([" --- ", styles.dim], [ownConsole ? "[Tab: log]" : "[Tab: log] [q: quit]", styles.dim]);
  let x = area.x;
  for (const [text, style] of parts) x += buffer.put(x, area.y, text, style, area.x + area.width - x);
}

/** Names that the line has room for. */
const shownNodes = 5;

function aroundSelected<T extends { readonly address: string }>(nodes: readonly T[], selected: string): readonly T[] {
  const index = nodes.findIndex(({ address }) => address === selected);
  const first = Math.max(0, Math.min(index - Math.floor(shownNodes / 2), nodes.length - shownNodes));
  return nodes.slice(first, first + shownNodes);
}
