import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import type { AptWorkspace } from "./apt-workspace.ts";
import { cacheKey, type Progress } from "@talos-ts/host";

/** One package, pinned: the same name, version and digest always give the same files. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface ResolveOptions {
  readonly apt: AptWorkspace;
  readonly cacheRoot: string;
  /** The packages that are asked for. */
  readonly roots: readonly string[];
  readonly unwanted?: readonly RegExp[];
  /** Asks the archive again although an earlier answer is known. */
  readonly refresh?: boolean;
}

/**
 * Pins the packages that `roots` need, sorted by name.
 *
 * The answer is kept: a later call returns the same versions without asking the archive, until `refresh` is set.
 */
export async function resolvePackages(options: ResolveOptions, progress: Progress): Promise<PinnedPackage[]> {
  const stage = `resolve ${options.roots.length} packages`;
  const unwanted = options.unwanted ?? [];
  const source = await readFile(join(options.apt.directory, "etc/sources.list"), "utf8");
  const key = cacheKey(source, JSON.stringify(options.roots), unwanted.map(String).join("\n"));
  const path = join(options.cacheRoot, "pinned", `${key}.json`);
  if (options.refresh !== true) {
    const known = await readFile(path, "utf8").catch(() => undefined);
    if (known !== undefined) {
      progress({ stage, state: "cached" });
      return JSON.parse(known) as PinnedPackage[];
    }
  }
  progress({ stage, state: "start" });
  await options.apt.update();
  const plan = await options.apt.run("apt-get", ["-y", "-q", "--print-uris", "install", ...options.roots]);
  const wanted = parsePrintedUris(plan.stdout).filter(({ name }) => !unwanted.some((pattern) => pattern.test(name)));
  const specifiers = wanted.map(({ name, version }) => `${name}=${version}`);
  const shown = await options.apt.run("apt-cache", ["show", ...specifiers]);
  const pinned = pin(wanted, parseShown(shown.stdout)).sort((a, b) => (a.name < b.name ? -1 : 1));
  await mkdir(join(options.cacheRoot, "pinned"), { recursive: true });
  await writeFile(path, `${JSON.stringify(pinned, undefined, 2)}\n`);
  progress({ stage, state: "done", detail: `${pinned.length} packages` });
  return pinned;
}

interface PlannedPackage {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

/** Reads the lines `'uri' name_version_arch.deb size hash` that apt prints instead of downloading. */
export function parsePrintedUris(text: string): PlannedPackage[] {
  return text.split("\n").flatMap((line) => {
    const match = /^'[^']+' (([^_ ]+)_([^_ ]+)_[^_ ]+\.deb) \d+/.exec(line);
    if (match === null) return [];
    const [, file = "", name = "", version = ""] = match;
    return [{ name, version: decodeURIComponent(version), file }];
  });
}

interface ShownPackage {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Reads the stanzas of `apt-cache show`, keyed by `name=version`. */
export function parseShown(text: string): Map<string, ShownPackage> {
  const shown = new Map<string, ShownPackage>();
  for (const stanza of text.split(/\n\n+/)) {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(stanza)?.[1] ?? "";
    if (field("Package") === "") continue;
    shown.set(`${field("Package")}=${field("Version")}`, {
      sizeBytes: Number(field("Size")),
      sha256: field("SHA256"),
    });
  }
  return shown;
}

function pin(wanted: readonly PlannedPackage[], shown: ReadonlyMap<string, ShownPackage>): PinnedPackage[] {
  return wanted.map((planned) => {
    const facts = shown.get(`${planned.name}=${planned.version}`);
    if (facts === undefined || !/^[0-9a-f]{64}$/.test(facts.sha256)) {
      throw new OsError({
        kind: "data-loss",
        code: "image/no-digest",
        message: `Cannot pin package "${planned.name}" ${planned.version}: the archive states no digest of it`,
      });
    }
    return { ...planned, ...facts };
  });
}
