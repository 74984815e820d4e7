import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Describes where a config lives, and whether the client may change it there. */
export interface TalosconfigPath {
  readonly path: string;
  readonly writeAllowed: boolean;
}

/** Describes what the lookup depends on. */
export interface LookupEnvironment {
  /** @default {process.env} */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default {os.homedir()} */
  readonly home?: string;
  /** Folder in which Kubernetes mounts the config of a pod that may use the API. */
  readonly serviceAccountDirectory?: string;
}

const serviceAccountMount = "/var/run/secrets/talos.dev";
const fileName = "config";

/** `$TALOS_HOME` if it is absolute, else `~/.talos`: where the client keeps its files. */
export function talosDirectory({ env = process.env, home = homedir() }: LookupEnvironment = {}): string {
  const directory = env["TALOS_HOME"];
  return directory !== undefined && isAbsolute(directory) ? directory : join(home, ".talos");
}

/** Returns where configs are looked for, in this order: `$TALOSCONFIG`, the home directory, the service account of a pod. */
export function talosconfigPaths(environment: LookupEnvironment = {}): readonly TalosconfigPath[] {
  const { env = process.env, serviceAccountDirectory = serviceAccountMount } = environment;
  const explicit = env["TALOSCONFIG"];
  return [
    ...(explicit === undefined || explicit === "" ? [] : [{ path: explicit, writeAllowed: true }]),
    { path: join(talosDirectory(environment), fileName), writeAllowed: true },
    { path: join(serviceAccountDirectory, fileName), writeAllowed: false },
  ];
}
