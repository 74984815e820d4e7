import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, strong, styles } from "../../terminal/style.ts";
import { nodeName, type NodeView } from "../node-view.ts";
import type { DashboardState } from "../state.ts";
import { paintPanel } from "../widgets/panel.ts";

/** A problem of a node. */
export interface Problem {
  /** Name of the node; empty where there is only one. */
  readonly node: string;
  readonly text: string;
  /** Of a node that does not answer any more: it may be gone. */
  readonly stale: boolean;
}

/** Problems of all nodes, gravest first: nodes that do not answer, diagnostics, and why a machine is not ready. */
export function problemsOf({ nodes, ownConsole }: DashboardState): readonly Problem[] {
  const of = (texts: (node: NodeView) => readonly string[], stale: (node: NodeView) => boolean): readonly Problem[] =>
    nodes.flatMap((node) =>
      texts(node).map((text) => ({ node: ownConsole ? "" : nodeName(node), text, stale: stale(node) })),
    );
  const away = ({ failure }: NodeView): boolean => failure !== undefined;
  return [
    ...of(
      ({ failure }) => (failure === undefined ? [] : [`does not answer: ${failure}`]),
      () => false,
    ),
    ...of(
      ({ facts }) =>
        (facts?.diagnostics ?? []).map(({ id, message, details }) => [`${message} (${id})`, ...details].join("; ")),
      away,
    ),
    ...of(({ facts }) => (facts?.unmet ?? []).map((text) => `not ready: ${text}`), away),
  ];
}

export function paintDiagnostics(buffer: CellBuffer, area: Area, problems: readonly Problem[]): void {
  const inner = paintPanel(buffer, area, `Diagnostics (${String(problems.length)})`, strong("red"));
  const hidden = problems.length - inner.height;
  const shown = hidden > 0 ? problems.slice(0, inner.height - 1) : problems;
  for (const [index, { node, text, stale }] of shown.entries()) {
    const y = inner.y + index;
    const taken = buffer.put(inner.x, y, node === "" ? "" : `${node}: `, stale ? styles.dim : strong(), inner.width);
    buffer.put(inner.x + taken, y, text, stale ? styles.dim : colored("red"), inner.width - taken);
  }
  if (hidden > 0 && inner.height > 0) {
    const rest = problems.length - shown.length;
    buffer.put(inner.x, inner.y + inner.height - 1, `… and ${String(rest)} more`, styles.dim, inner.width);
  }
}
