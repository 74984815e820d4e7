import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { OsError } from "@talos-ts/base";
import { baseEnvironment, cached, type Progress, silent } from "@talos-ts/host";
import { currentArchitecture } from "../architecture.ts";
import { type Environment, inheritedSettings } from "./go-settings.ts";
import { moduleHash, sha256Of } from "./module-hash.ts";
import { downloadModule } from "./module-proxy.ts";
import { readZip } from "./zip.ts";

/** The pinned Go, and what a process needs to run it. */
export interface GoToolchain {
  /** Absolute path of the program `go`. */
  readonly go: string;
  /**
   * Whole environment for `go`: the pinned toolchain alone, caches below the given root, no cgo, and the person's settings for
   * proxies, checksums and flags. Override single variables as needed (`CGO_ENABLED`, `GOMODCACHE`, `GOCACHE`).
   */
  readonly env: Readonly<Record<string, string>>;
}

export interface GoToolchainOptions {
  readonly signal?: AbortSignal;
  /** Default: the environment of this process. */
  readonly env?: Environment;
}

export const goVersion = "1.26.6";
const toolchainModule = "golang.org/toolchain";

/** Hashes of the toolchain modules as sum.golang.org records them, by Debian's name of the architecture. */
const toolchainHashes: Readonly<Record<string, string>> = {
  amd64: "h1:owmNw4SPM9h46FGOeGJVUWzFEEDSmO6g7gAtWoXp28s=",
  arm64: "h1:YU5g0Kv9+YZGTJQ8l89vdVDpHOHzXHCuxsoUJm1d1TU=",
};

/** Programs of a toolchain; module zips carry no permissions. */
const executable = /^(?:bin|pkg\/tool)\//;

/**
 * Returns the pinned Go toolchain, downloading it on first use.
 *
 * It comes as a module from the Go module proxy, is checked against a hash in this file, and lives below `cacheRoot`. No Go
 * of the system is needed or used, so what is built with it is the same on every machine.
 *
 * @throws OsError `go/no-proxy` or `go/download` when it cannot be downloaded, `go/hash` when it is not the pinned one.
 */
export async function goToolchain(
  cacheRoot: string,
  progress: Progress = silent,
  { signal, env = process.env }: GoToolchainOptions = {},
): Promise<GoToolchain> {
  const architecture = currentArchitecture().debian;
  const version = `v0.0.1-go${goVersion}.linux-${architecture}`;
  const stage = `install Go ${goVersion}`;
  const { path, hit } = await cached(cacheRoot, "toolchains", `go${goVersion}-${architecture}`, async (scratch) => {
    progress({ stage, state: "start" });
    const archive = await downloadModule(
      toolchainModule,
      version,
      { ...(signal === undefined ? {} : { signal }), onBytes: showBytes(stage, progress) },
      env,
    );
    await unpackModule(archive, `${toolchainModule}@${version}/`, toolchainHashes[architecture] ?? "", scratch);
  });
  if (!hit) progress({ stage, state: "done" });
  return { go: join(path, "bin/go"), env: environmentFor(path, cacheRoot, env) };
}

function environmentFor(path: string, cacheRoot: string, env: Environment): Record<string, string> {
  const base = baseEnvironment();
  return {
    ...base,
    ...inheritedSettings(env),
    PATH: `${join(path, "bin")}:${base["PATH"] ?? ""}`,
    CGO_ENABLED: "0",
    GOCACHE: join(cacheRoot, "go-build"),
    GOMODCACHE: join(cacheRoot, "go-modules"),
    GOPATH: join(cacheRoot, "go-path"),
    GOROOT: path,
    GOTOOLCHAIN: "local",
    GOWORK: "off",
  };
}

/**
 * Writes the files of a module zip to a folder when they have the expected hash.
 *
 * @throws OsError `go/hash` before anything is written.
 */
export async function unpackModule(archive: Buffer, prefix: string, expected: string, folder: string): Promise<void> {
  const files = readZip(archive);
  const actual = moduleHash(files.map((file) => ({ name: file.name, sha256: sha256Of(file.content()) })));
  if (actual !== expected) {
    throw new OsError({
      kind: "data-loss",
      code: "go/hash",
      message: `Cannot use module ${prefix.slice(0, -1)}: expected hash ${expected}, the downloaded one has ${actual}`,
      next: "check what GOPROXY names: it serves another module under this version",
    });
  }
  const made = new Set<string>();
  for (const file of files) {
    const name = relative(prefix, file.name);
    const path = join(folder, name);
    if (!made.has(dirname(path))) await mkdir(dirname(path), { recursive: true });
    made.add(dirname(path));
    await writeFile(path, file.content(), { mode: executable.test(name) ? 0o755 : 0o644 });
  }
}

function showBytes(stage: string, progress: Progress): (received: number, expected: number | undefined) => void {
  const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
  let shown = -1;
  return (received, expected) => {
    if (megabytes(received) === shown) return;
    shown = megabytes(received);
    const total = expected === undefined ? {} : { total: megabytes(expected) };
    progress({ stage, state: "step", done: shown, ...total, detail: "MB" });
  };
}
