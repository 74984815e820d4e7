import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, strong, styles, type Style } from "../../terminal/style.ts";
import { nodeName, type NodeView } from "../node-view.ts";
import type { ServiceFacts } from "../sample.ts";
import { selectedNode, type DashboardState } from "../state.ts";
import { paintPanel } from "../widgets/panel.ts";
import { paintTable } from "../widgets/table.ts";

/** Rows of the facts of a node, with their frame. */
export const nodeInfoRows = 12;

const listText = (values: readonly string[] | undefined): string =>
  values === undefined ? "n/a" : values.length === 0 ? "none" : values.join(", ");

/** Draws what the node is: names, role, addresses, readiness. */
export function paintNodeInfo(buffer: CellBuffer, area: Area, state: DashboardState): void {
  const { ownConsole } = state;
  const node = selectedNode(state);
  if (node === undefined) return;
  const { facts, member, failure } = node;
  const inner = paintPanel(buffer, area, nodeName(node));
  const kubernetes = facts?.kubernetesNode;
  const lines: readonly (readonly [label: string, value: string])[] = [
    ["CLUSTER", facts?.clusterName || "n/a"],
    ["ROLE", member?.machineType ?? facts?.machineType ?? "n/a"],
    ["VERSION", facts?.version ?? member?.operatingSystem ?? "n/a"],
    ["STAGE", `${facts?.stage ?? "n/a"}${facts?.ready === undefined ? "" : facts.ready ? ", ready" : ", not ready"}`],
    [
      "KUBERNETES",
      kubernetes === undefined
        ? "n/a"
        : `${kubernetes.ready ? "ready" : "not ready"}${kubernetes.schedulable ? "" : ", cordoned"}`,
    ],
    ...(ownConsole ? [] : [["ADDRESS", node.address] as const]),
    [ownConsole ? "ADDRESSES" : "ALL", listText(facts?.addresses ?? member?.addresses)],
    ["GATEWAY", listText(facts?.gateways)],
    ["DNS", listText(facts?.resolvers)],
    ["NTP", listText(facts?.timeServers)],
  ];
  const style = failure === undefined ? styles.plain : styles.dim;
  for (const [index, [label, value]] of lines.slice(0, Math.max(0, inner.height)).entries()) {
    buffer.put(inner.x, inner.y + index, label.padEnd(12), strong(), inner.width);
    buffer.put(inner.x + 12, inner.y + index, value, style, inner.width - 12);
  }
}

/** Draws the services of the node, the ones in trouble first. */
export function paintServices(buffer: CellBuffer, area: Area, node: NodeView | undefined): void {
  const inner = paintPanel(buffer, area, "Services");
  const services = (node?.facts?.services ?? []).toSorted((a, b) => rank(a) - rank(b));
  const stale = node?.failure !== undefined;
  paintTable(buffer, inner, {
    headings: ["SERVICE", "STATE", "HEALTH", "LAST"],
    rows: services.map((service) => ({
      cells: [service.id, service.state, healthText(service), service.message],
      style: stale ? styles.dim : styles.plain,
      cellStyles: stale ? {} : { 2: healthStyle(service) },
    })),
  });
}

const rank = ({ healthy, state }: ServiceFacts): number => (healthy === false || state === "Failed" ? 0 : 1);
const healthText = ({ healthy }: ServiceFacts): string => (healthy === undefined ? "?" : healthy ? "OK" : "Fail");
const healthStyle = ({ healthy }: ServiceFacts): Style =>
  healthy === undefined ? styles.dim : colored(healthy ? "green" : "red");
