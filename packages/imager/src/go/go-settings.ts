import { homedir } from "node:os";
import { join } from "node:path";
import { readOptional } from "@talos-ts/host";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the person or the machine that decide where modules come from and how they are checked and built. */
const inherited = [
  "GOAUTH",
  "GOENV",
  "GOFLAGS",
  "GOINSECURE",
  "GONOPROXY",
  "GONOSUMDB",
  "GOPRIVATE",
  "GOPROXY",
  "GOSUMDB",
  "GOVCS",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "XDG_CONFIG_HOME",
  "http_proxy",
  "https_proxy",
  "no_proxy",
] as const;

/** Picks from an environment what a `go` command of ours may depend on. */
export function inheritedSettings(env: Environment = process.env): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

/**
 * Returns one setting as `go env` would: the environment first, then the file that `go env -w` writes.
 *
 * The file is `$GOENV`, by default `go/env` in the user's configuration folder; `GOENV=off` means none.
 */
export async function goSetting(name: string, env: Environment = process.env): Promise<string | undefined> {
  const value = env[name];
  if (value !== undefined && value !== "") return value;
  const file = env["GOENV"] ?? join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? homedir(), ".config"), "go/env");
  if (file === "off" || file === "") return undefined;
  const text = (await readOptional(file))?.toString() ?? "";
  const line = text.split("\n").find((each) => each.startsWith(`${name}=`));
  return line?.slice(name.length + 1).trim();
}
