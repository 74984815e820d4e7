import { malformed } from "../ffi/errno.ts";
import type { Propagation } from "./mounts.ts";

/** One line of /proc/<pid>/mountinfo. */
export interface MountInfo {
  readonly id: number;
  readonly parentId: number;
  /** `major:minor` of the device. */
  readonly device: string;
  /** The part of the file system that is shown, `/` unless it is a bind mount of a folder. */
  readonly root: string;
  readonly target: string;
  /** Options of this mount point. */
  readonly options: readonly string[];
  readonly propagation: readonly Propagation[];
  readonly peerGroup: number | undefined;
  readonly master: number | undefined;
  readonly type: string;
  readonly source: string;
  /** Options of the file system behind it. */
  readonly superOptions: readonly string[];
}

/** The kernel writes space, tab, newline and backslash as octal. */
function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
}

/** @throws OsError `mountinfo/malformed` with the line in its details. */
export function parseMountInfoLine(line: string): MountInfo {
  const fields = line.split(" ");
  const separator = fields.indexOf("-", 6);
  const [id, parentId, device, root, target, options] = fields;
  const [type, source, superOptions] = separator < 0 ? [] : fields.slice(separator + 1);
  if (
    id === undefined ||
    parentId === undefined ||
    device === undefined ||
    root === undefined ||
    target === undefined ||
    options === undefined ||
    type === undefined ||
    source === undefined ||
    !/^\d+$/.test(id) ||
    !/^\d+$/.test(parentId) ||
    !/^\d+:\d+$/.test(device)
  ) {
    throw malformed("mountinfo", "a line of mountinfo", { line });
  }
  const tags = new Map(
    fields.slice(6, separator).map((tag) => {
      const [name = "", value] = tag.split(":", 2);
      return [name, value === undefined ? 0 : Number(value)];
    }),
  );
  return {
    id: Number(id),
    parentId: Number(parentId),
    device,
    root: unescape(root),
    target: unescape(target),
    options: options.split(","),
    propagation: propagationOf(tags),
    peerGroup: tags.get("shared"),
    master: tags.get("master"),
    type,
    source: unescape(source),
    superOptions: superOptions === undefined || superOptions === "" ? [] : superOptions.split(","),
  };
}

function propagationOf(tags: ReadonlyMap<string, number>): readonly Propagation[] {
  const found: Propagation[] = [];
  if (tags.has("shared")) found.push("shared");
  if (tags.has("master")) found.push("slave");
  if (tags.has("unbindable")) found.push("unbindable");
  return found.length === 0 ? ["private"] : found;
}

/** Parses `/proc/<pid>/mountinfo` (proc_pid_mountinfo(5)). */
export function parseMountInfo(text: string): readonly MountInfo[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseMountInfoLine(line));
}
