import { findFirstProblem } from "./first-problem.ts";
import type { NodeFacts } from "./support-file.ts";
import { mergeTimelines, type TimelineEntry } from "./timeline.ts";

/** Entries of the timeline on the page: the last ones, and the first problem in any case. */
const timelineLength = 3000;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

const cell = (text: string, kind = ""): string => `<td${kind === "" ? "" : ` class="${kind}"`}>${escape(text)}</td>`;
const row = (...cells: readonly string[]): string => `<tr>${cells.join("")}</tr>`;
const table = (head: readonly string[], rows: readonly string[], empty: string): string =>
  rows.length === 0
    ? `<p class="none">${escape(empty)}</p>`
    : `<table><tr>${head.map((text) => `<th>${escape(text)}</th>`).join("")}</tr>\n${rows.join("\n")}\n</table>`;
const section = (id: string, title: string, body: string): string =>
  `<section id="${id}"><h2>${escape(title)}</h2>\n${body}\n</section>`;

const style = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { margin: 1.5rem auto; max-width: 1200px; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; }
th, td { padding: .15rem .6rem .15rem 0; vertical-align: top; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; } code, .mono { font-family: ui-monospace, monospace; font-size: .92em; }
.bad { color: #c22; font-weight: 600; } .good { color: #282; } .none { color: #777; }
#first { border-left: 4px solid #c22; padding-left: 1rem; } nav a { margin-right: 1rem; }
tr.problem td { background: #c222; } input { width: 100%; padding: .4rem; margin-bottom: .5rem; }`;

/** Hides the rows of the timeline that do not have the words of the field. The page is whole without it. */
const script = `
const field = document.getElementById("filter"); field.hidden = false;
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const row of document.querySelectorAll("#timeline tr:not(:first-child)"))
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
});`;

/** Writes the page that a person opens first. Links lead to the other files of the unpacked bundle. */
export function renderIndexPage(
  nodes: readonly NodeFacts[],
  cluster: { readonly name: string; readonly made: Date; readonly facts: NodeFacts },
): string {
  const { reason, entry } = findFirstProblem(nodes);
  const timeline = mergeTimelines(nodes.map((node) => node.timeline)).slice(-timelineLength);
  const shown = entry === undefined || timeline.includes(entry) ? timeline : [entry, ...timeline];
  const title = `Support bundle of ${cluster.name}`;
  const parts = [
    section(
      "first",
      "What was wrong first",
      `<p>${escape(reason)}</p>${entry === undefined ? "" : table(timelineHead, [timelineRow(entry)], "")}`,
    ),
    section(
      "services",
      "Services",
      table(
        ["Node", "Service", "State", "Health", "Last event", "Files"],
        nodes.flatMap(serviceRows),
        "No node answered.",
      ),
    ),
    section(
      "diagnostics",
      "Diagnostics",
      table(["Node", "Id", "Message", "Details"], nodes.flatMap(diagnosticRows), "There are none."),
    ),
    section(
      "collection",
      "What could not be collected",
      table(
        ["Node", "Source", "Error"],
        [...nodes, cluster.facts].flatMap(({ node, errors }) =>
          errors.map(({ source, message }) => row(cell(node), cell(source), cell(message, "mono"))),
        ),
        "Everything was collected.",
      ),
    ),
    section(
      "timeline",
      "Timeline of all nodes",
      `<input id="filter" hidden placeholder="Words to look for, as in: etcd failed">${table(timelineHead, shown.map(timelineRow), "Nothing was recorded.")}`,
    ),
    section(
      "resources",
      "Resources",
      table(["Node", "Type", "Number"], nodes.flatMap(resourceRows), "There are none."),
    ),
    section(
      "files",
      "Files",
      `<ul>${[...nodes.flatMap(({ files }) => files), ...cluster.facts.files].map(fileItem).join("\n")}</ul>`,
    ),
  ];
  const links = ["first", "services", "diagnostics", "collection", "timeline", "resources", "files"];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title><style>${style}</style></head><body>
<h1>${escape(title)}</h1>
<p>Made ${escape(cluster.made.toISOString())} of ${String(nodes.length)} nodes: ${nodes.map(({ node, version }) => `${escape(node)} (${version === "" ? '<span class="bad">did not answer</span>' : escape(version)})`).join(", ")}. Times are UTC.</p>
<nav>${links.map((id) => `<a href="#${id}">${id}</a>`).join("")}</nav>
${parts.join("\n")}
<script>${script}</script>
</body></html>
`;
}

const fileItem = (name: string): string => `<li><a href="${encodeURI(name)}">${escape(name)}</a></li>`;

function serviceRows({ node, services }: NodeFacts): readonly string[] {
  return services.map(({ id, state, health, events }) => {
    const known = health?.unknown === false;
    const word = known ? (health.healthy ? "OK" : "Fail") : "?";
    const kind = known ? (health.healthy ? "good" : "bad") : "";
    const message = health?.lastMessage ?? "";
    const last = events?.events.at(-1)?.msg ?? "";
    const log = `<td><a href="${encodeURI(`${node}/service-logs/${id}.log`)}">log</a></td>`;
    const stateCell = cell(state, state === "Failed" ? "bad" : "");
    return row(
      cell(node),
      cell(id),
      stateCell,
      cell(word, kind),
      cell(message === "" ? last : `${last} — ${message}`),
      log,
    );
  });
}

function diagnosticRows({ node, diagnostics }: NodeFacts): readonly string[] {
  return diagnostics.map(({ id, message, details }) =>
    row(cell(node), cell(id), cell(message, "bad"), cell(details.join("; "))),
  );
}

function resourceRows({ node, resources }: NodeFacts): readonly string[] {
  return [...resources]
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, count]) => {
      const link = encodeURI(`${node}/resources/${type.toLowerCase()}.yaml`);
      return row(cell(node), `<td><a href="${link}">${escape(type)}</a></td>`, cell(String(count)));
    });
}

const timelineHead = ["Time", "Node", "Source", "What"];

function timelineRow({ at, node, source, text, problem }: TimelineEntry): string {
  const cells = [
    cell(new Date(at).toISOString().replace("T", " ").slice(0, 23)),
    cell(node),
    cell(source),
    cell(text, "mono"),
  ];
  return `<tr${problem ? ' class="problem"' : ""}>${cells.join("")}</tr>`;
}
