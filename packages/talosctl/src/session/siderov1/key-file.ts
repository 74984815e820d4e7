import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { talosDirectory } from "@talos-ts/machinery/talosconfig";

/** Describes which key is meant, and where it may lie. */
export interface KeyFileOptions {
  /** Name of the context in the talosconfig. */
  readonly context: string;
  /** `auth.siderov1.identity` of the context: an e-mail address. */
  readonly identity: string;
  /** Value of `--siderov1-keys-dir`. Default: `$SIDEROV1_KEYS_DIR`, then `keys` in the directory of the client. */
  readonly directory: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Lists the files in which the key of a context may be, the first being the one to write.
 *
 * The second is where older clients kept it: `talos/keys` in the data directory of the XDG base directory specification.
 */
export function keyFiles({ context, identity, directory, env }: KeyFileOptions): readonly [string, string] {
  const name = `${context}-${identity}.pgp`;
  const home = env["HOME"] ?? homedir();
  const chosen = [directory, env["SIDEROV1_KEYS_DIR"]].find((path) => path !== undefined && path !== "");
  const data = env["XDG_DATA_HOME"];
  const dataHome = data !== undefined && isAbsolute(data) ? data : join(home, ".local/share");
  return [join(chosen ?? join(talosDirectory({ env, home }), "keys"), name), join(dataHome, "talos/keys", name)];
}
