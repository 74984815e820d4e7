import { OsError, visibleText } from "@talos-ts/base";
import { relativeTime } from "@talos-ts/machinery/talosconfig";
import { ListRequest_Type as Type, type FileInfo } from "@talos-ts/proto/machine/file";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition, Invocation } from "../command.ts";
import { createColumns } from "../output/columns.ts";
import { formatFileMode } from "../output/file-mode.ts";
import { humanBytes } from "../output/humanize.ts";
import { printRecords, recordFormatOption, wantsTable } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";
import { badFlag, flag, integerOption, listOption } from "../values.ts";

const types: Readonly<Record<string, Type>> = { f: Type.REGULAR, d: Type.DIRECTORY, l: Type.SYMLINK, L: Type.SYMLINK };

export const command: CommandDefinition = {
  arguments: [{ spec: "[path]", description: "folder to list (default: /)" }],
  options: [
    { flags: "-l, --long", description: "show mode, owner, size and time" },
    { flags: "-r, --recurse", description: "go into folders" },
    { flags: "-d, --depth <levels>", description: "how far to go into folders (default: 1)" },
    { flags: "-H, --humanize", description: "show sizes and times for people" },
    { flags: "-t, --type <letters>", description: "only f (files), d (folders), l (links)", list: true },
    recordFormatOption,
  ],
  examples: ["talosctl list -l /var/log", "talosctl ls -r -t f /etc", "talosctl ls /etc -o json"],
  async run(invocation) {
    const { io, signal } = invocation;
    await using session = await openSession(invocation);
    const table = wantsTable(invocation);
    const long = flag(invocation, "long") || !table;
    const records: FileRecord[] = [];
    const stream = session.all(MachineService).list({ ...readRequest(invocation), reportXattrs: long }, { signal });
    const columns = createColumns((text) => io.out(text));
    let named = false;
    if (long && table) columns.add(["NODE", "MODE", "UID", "GID", "SIZE(B)", "LASTMOD", "LABEL", "NAME"]);
    let failed: OsError | undefined;
    await readStream(session, stream, signal, (info, node) => {
      if (info.error !== "") {
        session.warn(`${node}: error reading file ${info.name}: ${info.error}`);
        failed ??= new OsError({ kind: "unknown", code: "cli/incomplete", message: "some files could not be read" });
      } else if (!table) {
        records.push(recordOf(info, node));
      } else if (long) {
        columns.add([node, ...describeFile(info, flag(invocation, "humanize"), new Date())]);
      } else if (info.metadata !== undefined && info.metadata.hostname !== "") {
        if (!named) columns.add(["NODE", "NAME"]);
        named = true;
        columns.add([node, info.relativeName]);
      } else {
        io.out(`${visibleText(info.relativeName)}\n`);
      }
    }).finally(() => columns.flush());
    if (!table) await printRecords(invocation, [], records);
    if (failed !== undefined) throw failed;
  },
};

/** A file as programs read it. */
interface FileRecord {
  readonly node: string;
  readonly name: string;
  readonly mode: string;
  readonly uid: number;
  readonly gid: number;
  readonly sizeBytes: number;
  readonly modified: string;
  /** Target of a link; empty for anything else. */
  readonly link: string;
  /** Label of SELinux; empty without one. */
  readonly label: string;
}

function recordOf(info: FileInfo, node: string): FileRecord {
  return {
    node,
    name: info.relativeName,
    mode: formatFileMode(info.mode),
    uid: info.uid,
    gid: info.gid,
    sizeBytes: Number(info.size),
    modified: new Date(Number(info.modified) * 1000).toISOString(),
    link: info.link,
    label: labelOf(info),
  };
}

function readRequest(invocation: Invocation): {
  root: string;
  recurse: boolean;
  recursionDepth: number;
  types: Type[];
} {
  const depth = integerOption(invocation, "depth");
  const recurse = flag(invocation, "recurse");
  if (recurse && depth !== undefined) {
    throw new OsError({
      kind: "invalid-argument",
      code: "cli/bad-flag",
      message: "only one of flags --recurse and --depth can be specified at the same time",
    });
  }
  const wanted = Array.from(listOption(invocation, "type").join(""), (letter) => {
    const type = types[letter];
    if (type === undefined) throw badFlag("type", letter, "letters out of f, d and l");
    return type;
  });
  return {
    root: invocation.args[0] ?? "/",
    recurse: recurse || (depth ?? 1) > 1,
    recursionDepth: recurse ? -1 : (depth ?? 1),
    types: wanted,
  };
}

function describeFile(info: FileInfo, human: boolean, now: Date): string[] {
  const modified = new Date(Number(info.modified) * 1000);
  return [
    formatFileMode(info.mode),
    String(info.uid),
    String(info.gid),
    human ? humanBytes(info.size) : String(info.size),
    human ? relativeTime(modified, now) : formatModified(modified, now),
    labelOf(info),
    info.link === "" ? info.relativeName : `${info.relativeName} -> ${info.link}`,
  ];
}

function labelOf({ xattrs }: FileInfo): string {
  const label = xattrs.find(({ name }) => name === "security.selinux")?.data;
  return label === undefined ? "" : new TextDecoder().decode(label).replace(/[\0\n]+$/, "");
}

const halfYearMs = 6 * 30 * 86_400_000;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** `Jan  2 15:04:05`, or with the year and without seconds what is older than half a year; local time. */
function formatModified(time: Date, now: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${months[time.getMonth()]} ${String(time.getDate()).padStart(2)}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return now.getTime() - time.getTime() < halfYearMs
    ? `${day} ${clock}:${two(time.getSeconds())}`
    : `${day} ${time.getFullYear()} ${clock}`;
}
