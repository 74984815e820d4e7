import { isCode, OsError } from "@talos-ts/base";
import { download, type DownloadOptions } from "./download.ts";
import { type Environment, goSetting } from "./go-settings.ts";

/** One entry of GOPROXY. */
export interface ModuleProxy {
  readonly address: string;
  /** Failures that lead on to the next entry: `,` after it means an absent module only, `|` any failure. */
  readonly nextAfter: "absent" | "any";
}

/** GOPROXY of the go command's own defaults. */
const publicProxy = "https://proxy.golang.org,direct";

/** Number of times one proxy is asked before its failure counts. */
const attempts = 3;

/**
 * Returns the proxies of GOPROXY in order.
 *
 * `direct` ends the list: without a proxy a module comes from version control, and the toolchain lies in none.
 */
export function parseGoProxy(setting: string): ModuleProxy[] {
  const entries = [...setting.matchAll(/([^,|]+)([,|]?)/g)].map(([, address = "", separator]) => ({
    address: address.trim().replace(/\/+$/, ""),
    nextAfter: separator === "|" ? ("any" as const) : ("absent" as const),
  }));
  const end = entries.findIndex(({ address }) => address === "direct" || address === "off");
  return end === -1 ? entries : entries.slice(0, end);
}

/**
 * Downloads the zip of a module version from the proxies that the environment or the user's Go settings name.
 *
 * @throws OsError `go/no-proxy` when GOPROXY names none, `go/download` when none of them has it.
 */
export function downloadModule(
  module: string,
  version: string,
  options: DownloadOptions = {},
  env: Environment = process.env,
): Promise<Buffer> {
  return ask(`${module}@${version}`, `${escaped(module)}/@v/${escaped(version)}.zip`, options, env);
}

/**
 * Lists the versions of a module that the proxy serves, in no order.
 *
 * @throws OsError `go/no-proxy` or `go/download`
 */
export async function listVersions(
  module: string,
  options: DownloadOptions = {},
  env: Environment = process.env,
): Promise<readonly string[]> {
  const list = await ask(`the versions of ${module}`, `${escaped(module)}/@v/list`, options, env);
  return list
    .toString()
    .split(/\s+/)
    .filter((line) => line !== "");
}

async function ask(what: string, path: string, options: DownloadOptions, env: Environment): Promise<Buffer> {
  const setting = (await goSetting("GOPROXY", env)) ?? publicProxy;
  const proxies = parseGoProxy(setting);
  if (proxies.length === 0) {
    throw new OsError({
      kind: "failed-precondition",
      code: "go/no-proxy",
      message: `Cannot download ${what}: GOPROXY is "${setting}", expected a module proxy such as ${publicProxy}`,
      next: `export GOPROXY=${publicProxy}`,
    });
  }
  const failures: string[] = [];
  for (const { address, nextAfter } of proxies) {
    try {
      return await persistently(`${address}/${path}`, options);
    } catch (err) {
      options.signal?.throwIfAborted();
      failures.push(OsError.from(err).message);
      if (nextAfter === "absent" && !isCode(err, "download/absent")) break;
    }
  }
  throw new OsError({
    kind: "unavailable",
    code: "go/download",
    message: `Cannot download ${what}: ${failures.join("; ")}`,
    next: "check the network or set GOPROXY to a module proxy that can be reached, and run the same command again",
  });
}

async function persistently(address: string, options: DownloadOptions): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await download(address, options);
    } catch (err) {
      options.signal?.throwIfAborted();
      if (attempt === attempts || isCode(err, "download/absent")) throw err;
    }
  }
}

/** Escapes capital letters as the proxy protocol wants it (`GOPROXY protocol` of the Go modules reference). */
function escaped(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
