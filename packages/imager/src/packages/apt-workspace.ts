import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { type AptSource, chooseArchive, parseDeb822Sources, parseSourcesList } from "./apt-source.ts";
import { exists, runTool, type ToolOptions, type ToolResult } from "@talos-ts/host";

/** A private apt: own sources, lists and archives, an empty list of installed packages; the host's is not touched. */
export interface AptWorkspace {
  readonly directory: string;
  /**
   * Folder of downloaded packages, named as apt names them. Not apt's own folder of archives, which must stay
   * empty: apt leaves out of its plans what it finds there.
   */
  readonly archives: string;
  run(program: "apt-get" | "apt-cache", args: readonly string[], options?: ToolOptions): Promise<ToolResult>;
  /**
   * Fetches the archive's list of packages.
   *
   * @throws OsError `image/archive` when the archive cannot be reached, `image/untrusted` when no key of the host has
   *   signed it.
   */
  update(): Promise<void>;
}

export interface AptWorkspaceOptions {
  readonly directory: string;
  readonly suite: string;
  /** Debian's name of the architecture: `amd64`, `arm64`. */
  readonly architecture: string;
  /** @default the archive the host's own apt uses */
  readonly archive?: AptSource;
  /** File with the keys that are trusted. @default that of the package debian-archive-keyring */
  readonly keyring?: string;
  /** Number of retries of a failed transfer. @default 3 */
  readonly retries?: number;
  readonly signal?: AbortSignal;
}

const keyrings = ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

export async function openAptWorkspace(options: AptWorkspaceOptions): Promise<AptWorkspace> {
  const { directory } = options;
  const archives = join(directory, "packages");
  for (const name of ["etc", "lists/partial", "archives/partial", "packages"]) {
    await mkdir(join(directory, name), { recursive: true });
  }
  const archive = options.archive ?? (await hostArchive());
  const keyring = options.keyring ?? (await debianKeyring(options.suite));
  await writeFile(join(directory, "status"), "");
  await writeFile(
    join(directory, "etc/sources.list"),
    `deb [signed-by=${keyring}] ${archive.uri} ${options.suite} main\n`,
  );
  const config = join(directory, "apt.conf");
  await writeFile(config, aptConfiguration(options, await hostAcquire(options.signal)));
  const run: AptWorkspace["run"] = (program, args, more) =>
    runTool(program, args, {
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...more,
      env: { APT_CONFIG: config, DEBIAN_FRONTEND: "noninteractive" },
    });
  return {
    directory,
    archives,
    run,
    async update() {
      // Without this option apt is content with old lists, or none, when an archive does not answer.
      await run("apt-get", ["-q", "update", "--error-on=any"]).catch((err: unknown) => {
        options.signal?.throwIfAborted();
        throw updateError(archive, options.suite, err);
      });
    },
  };
}

function updateError(archive: AptSource, suite: string, cause: unknown): OsError {
  const stderr = cause instanceof OsError ? String(cause.details["stderr"] ?? "") : "";
  const unsigned = /NO_PUBKEY|EXPKEYSIG|not signed|Missing key|verif/i.test(stderr);
  const reason = stderr.split("\n").find((line) => /^[EW]: /.test(line)) ?? "apt gave no reason";
  return new OsError({
    kind: unsigned ? "failed-precondition" : "unavailable",
    code: unsigned ? "image/untrusted" : "image/archive",
    message: `Cannot fetch the list of packages of Debian ${suite} from "${archive.uri}": ${reason}`,
    next: unsigned ? "apt-get update && apt-get install debian-archive-keyring" : "apt-get update",
    cause,
  });
}

/** The archive the host's apt takes Debian from, so that a mirror chosen by the administrator is honoured. */
export async function hostArchive(root = "/etc/apt", osRelease = "/etc/os-release"): Promise<AptSource> {
  const codename = /^VERSION_CODENAME="?([a-z]+)/m.exec(await readOr(osRelease))?.[1] ?? "";
  const parts = join(root, "sources.list.d");
  const names = (await readdir(parts).catch((): string[] => [])).sort();
  const sources = parseSourcesList(await readOr(join(root, "sources.list")));
  for (const name of names) {
    const text = await readOr(join(parts, name));
    if (name.endsWith(".list")) sources.push(...parseSourcesList(text));
    if (name.endsWith(".sources")) sources.push(...parseDeb822Sources(text));
  }
  return chooseArchive(sources, codename);
}

/** Returns how the host reaches archives (proxies, certificates, retries), in apt's own words. */
export async function hostAcquire(signal?: AbortSignal): Promise<string> {
  const { stdout } = await runTool("apt-config", ["dump", "Acquire"], signal === undefined ? {} : { signal });
  return stdout
    .split("\n")
    .filter((line) => /^Acquire::(?:http|https|ftp|Retries|ForceIPv[46])\b/i.test(line))
    .join("\n");
}

function aptConfiguration({ directory, architecture, retries = 3 }: AptWorkspaceOptions, acquire: string): string {
  return `${acquire}
Dir "${directory}";
Dir::Etc "${directory}/etc";
Dir::Etc::sourcelist "sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::main "/dev/null";
Dir::State "${directory}";
Dir::State::lists "${directory}/lists";
Dir::State::status "${directory}/status";
Dir::Cache "${directory}";
APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Install-Recommends "0";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "${retries}";
`;
}

async function debianKeyring(suite: string): Promise<string> {
  for (const path of keyrings) if (await exists(path)) return path;
  throw new OsError({
    kind: "failed-precondition",
    code: "image/no-keyring",
    message: `Cannot find the keys that sign Debian ${suite}: there are none in ${keyrings.join(", ")}`,
    next: "apt-get install debian-archive-keyring",
  });
}

async function readOr(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
