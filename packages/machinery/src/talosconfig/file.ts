import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";
import { makeFolder, writeDurably } from "@talos-ts/host";
import { decodeTalosconfig } from "./decode.ts";
import { encodeTalosconfig } from "./encode.ts";
import { emptyConfig, type TalosConfig } from "./model.ts";
import { talosconfigPaths, type LookupEnvironment, type TalosconfigPath } from "./paths.ts";

/** A config together with where it came from, so that it can be saved there. */
export interface TalosconfigFile {
  readonly location: TalosconfigPath;
  readonly config: TalosConfig;
}

/**
 * Opens the config at `path`, or else the first one that exists in the lookup order. Where there is none, an empty one
 * is created: at `path`, or at the first place that may be written.
 *
 * @throws `talosconfig/unreadable` or `talosconfig/bad-yaml`.
 */
export async function openTalosconfig(path?: string, environment: LookupEnvironment = {}): Promise<TalosconfigFile> {
  const location = path ? { path, writeAllowed: true } : await findExisting(talosconfigPaths(environment));
  if (!(await exists(location.path))) await saveTalosconfig({ location, config: emptyConfig });
  const text = await readFile(location.path, "utf8").catch((err: unknown) => {
    throw failure("unreadable", `Cannot read config: ${location.path}`, err);
  });
  return { location, config: decodeTalosconfig(text, location.path) };
}

async function findExisting(paths: readonly TalosconfigPath[]): Promise<TalosconfigPath> {
  for (const candidate of paths) if (await exists(candidate.path)) return candidate;
  const first = paths.find(({ writeAllowed }) => writeAllowed);
  if (first === undefined) throw failure("unreadable", "no valid config paths found");
  return first;
}

/** Reports whether something is there, readable or not: what cannot be looked at must not be replaced. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (err: unknown) => (err as NodeJS.ErrnoException).code !== "ENOENT",
  );

/**
 * Writes the config to its file, readable by its owner alone. A reader sees the old text or the new one, never a part
 * of it; a symbolic link stays one.
 *
 * @throws `talosconfig/read-only` where the location may not be written, `talosconfig/unwritable` if writing fails.
 */
export async function saveTalosconfig({ location, config }: TalosconfigFile): Promise<void> {
  if (!location.writeAllowed) throw failure("read-only", `not allowed to write to config: ${location.path}`);
  try {
    await makeFolder(dirname(location.path), 0o700);
    const path = await realpath(location.path).catch(() => location.path);
    await writeDurably(path, encodeTalosconfig(config), 0o600);
  } catch (err) {
    throw failure("unwritable", `error writing config: ${location.path}`, err);
  }
}

const kinds = { unreadable: "not-found", unwritable: "permission-denied", "read-only": "permission-denied" } as const;

function failure(condition: keyof typeof kinds, message: string, cause?: unknown): OsError {
  const reason = cause === undefined ? undefined : OsError.from(cause, kinds[condition]);
  return new OsError({
    kind: reason?.kind ?? kinds[condition],
    code: `talosconfig/${condition}`,
    message: reason === undefined ? message : `${message}: ${reason.message}`,
    next: "talosctl --talosconfig <path>",
    cause,
  });
}
