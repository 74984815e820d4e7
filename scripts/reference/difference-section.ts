import type { CommandEntry } from "@talos-ts/talosctl";
import { code, table } from "./markdown.ts";
import { compareClients, type ClientDifference } from "./upstream/compare-clients.ts";
import { meantDifferences } from "./upstream/differences.ts";
import { collectOwnClient } from "./upstream/own-client.ts";
import { readUpstreamClient } from "./upstream/read-client.ts";

/** The part of the page that says what a script written for upstream's client has to know. */
export async function differenceSection(entries: readonly CommandEntry[]): Promise<string> {
  const found = compareClients(readUpstreamClient(), await collectOwnClient(entries));
  const rows = meantDifferences.flatMap(({ commands, flag, what, reason }) => {
    const values = found.find((each) => each.command === commands[0] && each.flag === flag && each.what === what);
    const names = commands.map((command) => code(command)).join(", ");
    return [[names, flag === undefined ? "" : code(`--${flag}`), say(what, values), reason]];
  });
  return [
    "## What differs from upstream",
    "",
    "Every command, alias and flag of the client of Talos v1.13 is here under the same name, with the same shorthand and default, except:",
    "",
    table(["command", "flag", "difference", "why"], rows),
    "",
  ].join("\n");
}

const texts: Readonly<Record<ClientDifference["what"], (upstream: string, ours: string) => string>> = {
  absent: () => "absent",
  alias: (upstream) => `no alias ${code(upstream)}`,
  nodes: () => "no flags that choose nodes",
  shorthand: (upstream) => `no shorthand ${code(`-${upstream}`)}`,
  value: (upstream, ours) => `takes a ${ours}, not a ${upstream}`,
  default: (upstream, ours) =>
    `default ${ours === "" ? "unset" : code(ours)} instead of ${upstream === "" ? "none" : code(upstream)}`,
};

function say(what: ClientDifference["what"], found: ClientDifference | undefined): string {
  return texts[what](found?.upstream ?? "", found?.ours ?? "");
}
