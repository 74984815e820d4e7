import { OsError, systemClock } from "@talos-ts/base";
import type { CommandDefinition } from "../command.ts";
import { runDashboard } from "../dashboard/run-dashboard.ts";
import { parseDuration } from "../output/go-duration.ts";
import { openSession } from "../session/session.ts";
import { badFlag, textOption } from "../values.ts";

/** Shortest interval: more often, a node would be busy with answering. */
const minIntervalMs = 200;

export const command: CommandDefinition = {
  description: [
    "Shows nodes, their problems, services, figures and logs in the terminal. Without --nodes it shows all members of the cluster. A node that",
    "does not answer stays, with what it last told and how old that is; it holds up no other.",
    "",
    "Keys:",
    "  h, Left     the node before           l, Right    the next node",
    "  j, Down     scroll down               k, Up       scroll up",
    "  Ctrl-D      half a page down          Ctrl-U      half a page up",
    "  Ctrl-F      a page down               Ctrl-B      a page up",
    "  F1, 1       summary                   F2, 2       monitor",
    "  Tab         the next log              Shift-Tab   the log before",
    "  g, Home     to the beginning          G, End      to the end",
    "  q, Ctrl-C   quit",
  ].join("\n"),
  options: [
    { flags: "-d, --update-interval <duration>", description: "time between two questions to a node", default: "3s" },
  ],
  examples: ["talosctl dashboard", "talosctl dashboard --nodes 10.5.0.2,10.5.0.3 -d 1s"],
  async run(invocation) {
    const { global, io, signal } = invocation;
    const interval = textOption(invocation, "updateInterval") ?? "3s";
    const intervalMs = parseDuration(interval);
    if (intervalMs < minIntervalMs) throw badFlag("updateInterval", interval, "200ms or more");
    const terminal = io.terminal;
    if (terminal === undefined) throw noTerminal();
    const chosen = global.nodes.length > 0 || global.on.length > 0;
    await using session = await openSession(invocation, { nodesOptional: true });
    await runDashboard({
      connection: session.connection,
      nodes: session.nodes,
      addMembers: !chosen,
      endpoint: session.defaultNode,
      intervalMs,
      terminal,
      clock: systemClock,
      signal,
    });
  },
};

function noTerminal(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "cli/no-terminal",
    message: "Cannot show the dashboard: standard input and output are not a terminal",
    next: "talosctl health, talosctl get diagnostics, or talosctl services",
  });
}
