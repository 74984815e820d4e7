import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { readCgroups, walkCgroups, type PlacedCgroup } from "../cgroups/cgroup-tree.ts";
import { readCgroupNames, readContainerNames } from "../cgroups/node-names.ts";
import { cgroupPresets, type CgroupColumn } from "../cgroups/presets.ts";
import type { CommandDefinition, Invocation } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { archiveBytes } from "../session/archive-bytes.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

const presetNames = Object.keys(cgroupPresets);

/** A row of the table; for programs every heading with its text. */
interface CgroupRecord {
  readonly node: string;
  readonly path: string;
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

export const command: CommandDefinition = {
  description:
    'Shows what the control groups of nodes use, as a tree. Works with version 2, and with version 1 as far as it has the same facts. A schema file has columns, each with a name and a template in the syntax of Go, as Talos takes it: {{ .MemoryCurrent.HumanizeIBytes | printf "%8s" }}. Fields are named for the files of control groups (MemoryCurrent, CPUStat, IOStat, …); functions are and, or, not, eq, ne, lt, le, gt, ge, len, index, print and printf.',
  options: [
    { flags: "--preset <name>", description: "columns to show", choices: presetNames },
    { flags: "--schema-file <path>", description: "columns to show, as templates in a YAML file; see below" },
    { flags: "--skip-cri-resolve", description: "do not ask CRI for the names of pods and containers" },
    recordFormatOption,
  ],
  examples: [
    "talosctl cgroups --preset memory --nodes 10.5.0.2",
    "talosctl cgroups --preset process --skip-cri-resolve",
    "talosctl cgroups --schema-file columns.yaml",
  ],
  async run(invocation) {
    const columns = await columnsOf(invocation);
    await using session = await openSession(invocation);
    const records: CgroupRecord[] = [];
    for (const node of session.targets) {
      const names = await readCgroupNames(session, node, invocation.signal);
      const containers = flag(invocation, "skipCriResolve")
        ? new Map<string, string>()
        : await readContainerNames(session, node, invocation.signal);
      for (const placed of await cgroupsOf(session, node, invocation)) {
        const row = { ...placed, ...names };
        records.push({
          node: node ?? session.defaultNode,
          path: `/${placed.path.join("/")}`,
          name: treeName(placed, containers),
          values: Object.fromEntries(columns.map(([heading, text]) => [heading, text(row)])),
        });
      }
    }
    const table: readonly Column<CgroupRecord>[] = [
      ...(session.targets.length > 1 ? [["NODE", ({ node }: CgroupRecord) => node] as const] : []),
      ["NAME", ({ name }) => name],
      ...columns.map(([heading]) => [heading, ({ values }: CgroupRecord) => values[heading] ?? ""] as const),
    ];
    await printRecords(invocation, table, textOption(invocation, "output") === "table" ? records : records.map(plain));
  },
};

async function columnsOf(invocation: Invocation): Promise<readonly CgroupColumn[]> {
  const schema = textOption(invocation, "schemaFile");
  if (schema !== undefined) return (await import("../cgroups/schema-file.ts")).readSchemaFile(schema);
  const preset = textOption(invocation, "preset");
  if (preset !== undefined) return cgroupPresets[preset] ?? [];
  throw new OsError({
    kind: "invalid-argument",
    code: "cgroups/no-columns",
    message: `either schema file or preset must be specified: --schema-file, or --preset with one of ${presetNames.join(", ")}`,
    next: "talosctl cgroups --preset memory",
  });
}

/** A record without the drawing of the tree and the blanks of its table. */
function plain({ node, path, name, values }: CgroupRecord): CgroupRecord {
  const trimmed = Object.entries(values).map(([heading, text]) => [heading, text.trim()]);
  return {
    node,
    path,
    name: name.replace(/^[│├└─ ]+/, ""),
    values: Object.fromEntries(trimmed) as Record<string, string>,
  };
}

async function cgroupsOf(
  session: Session,
  node: string | undefined,
  { signal }: Invocation,
): Promise<Iterable<PlacedCgroup>> {
  const archive = archiveBytes(session.one(MachineService, node).copy({ rootPath: "/sys/fs/cgroup" }, { signal }));
  const unpacked = Readable.from(archive.bytes).pipe(createGunzip());
  try {
    const root = await readCgroups(unpacked);
    rethrowUnlessSkipped(archive.rethrow);
    return walkCgroups(root);
  } catch (err) {
    rethrowUnlessSkipped(archive.rethrow);
    throw err;
  }
}

/** Some files of version 1 can only be written, and groups go away while they are read. */
function rethrowUnlessSkipped(rethrow: () => void): void {
  try {
    rethrow();
  } catch (err) {
    if (!OsError.from(err).message.includes("skipping ")) throw err;
  }
}

function treeName({ path, last }: PlacedCgroup, names: ReadonlyMap<string, string>): string {
  const own = path.at(-1);
  if (own === undefined) return ".";
  const above = last.slice(0, -1).map((ended) => (ended ? "    " : "│   "));
  return `${above.join("")}${last.at(-1) === true ? "└──" : "├──"}${names.get(own) ?? own}`;
}
