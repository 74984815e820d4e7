import { readTar } from "@talos-ts/base";
import { toUnifiedFiles } from "./legacy-files.ts";

/** A control group with its files, as version 2 names and writes them. */
export interface Cgroup {
  /** Text of each file, by its name. */
  readonly files: Map<string, string>;
  readonly children: Map<string, Cgroup>;
}

/** Longest file that is read: lists of threads. */
const maxFileBytes = 1024 * 1024;

/**
 * Reads the control groups out of an archive of `/sys/fs/cgroup`.
 *
 * With version 1 every controller has a tree of its own below a folder of its name. They are joined, and their files become those
 * of version 2 as far as there is one that means the same.
 */
export async function readCgroups(archive: AsyncIterable<Uint8Array>): Promise<Cgroup> {
  const files: (readonly [folders: readonly string[], name: string, text: string])[] = [];
  for await (const entry of readTar(archive)) {
    if (entry.type !== "file" || entry.size > maxFileBytes) continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.content) chunks.push(chunk);
    const folders = entry.name.replace(/^\.?\/+/, "").split("/");
    files.push([folders.slice(0, -1), folders.at(-1) ?? "", Buffer.concat(chunks).toString()]);
  }
  const unified = files.some(([folders, name]) => folders.length === 0 && name === "cgroup.controllers");
  const root = createCgroup();
  for (const [folders, name, text] of files) {
    const path = unified ? folders : folders.slice(1);
    if (!unified && ignoredHierarchies.has(folders[0] ?? "")) continue;
    cgroupAt(root, path).files.set(name, text);
  }
  if (!unified) for (const { cgroup } of walkCgroups(root)) toUnifiedFiles(cgroup.files);
  return root;
}

/** Trees without a controller, which nobody but their owner fills. */
const ignoredHierarchies = new Set(["", "systemd", "unified"]);

function createCgroup(): Cgroup {
  return { files: new Map(), children: new Map() };
}

function cgroupAt(root: Cgroup, path: readonly string[]): Cgroup {
  let found = root;
  for (const name of path) {
    const next = found.children.get(name) ?? createCgroup();
    found.children.set(name, next);
    found = next;
  }
  return found;
}

/** A control group with its place in the tree. */
export interface PlacedCgroup {
  readonly cgroup: Cgroup;
  readonly parent: Cgroup | undefined;
  /** Names from the root to it. */
  readonly path: readonly string[];
  /** Whether each ancestor below the root, and the group itself, is the last child of its parent. */
  readonly last: readonly boolean[];
}

/** Walks the tree, parents first, children by name. */
export function* walkCgroups(
  cgroup: Cgroup,
  place: Omit<PlacedCgroup, "cgroup"> = { parent: undefined, path: [], last: [] },
): Generator<PlacedCgroup> {
  yield { cgroup, ...place };
  const children = [...cgroup.children].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [name, child]] of children.entries()) {
    const last = [...place.last, index === children.length - 1];
    yield* walkCgroups(child, { parent: cgroup, path: [...place.path, name], last });
  }
}
