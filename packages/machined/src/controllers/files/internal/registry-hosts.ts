import type { RegistryConfigSpec } from "@talos-ts/machinery/resources/cri";
import { renderToml } from "../../../toml/render.ts";
import type { TomlTable } from "../../../toml/value.ts";

/** A file of containerd's `hosts` folder. */
export interface HostsFile {
  /** Below the folder. */
  readonly path: string;
  readonly contents: Uint8Array;
}

/** Path of the folder for containerd. */
export const hostsFolder = "/etc/cri/conf.d/hosts";

/**
 * One folder per registry, in the form containerd looks for: `hosts.toml` lists the mirrors in order, next to the
 * certificates it names.
 */
export function registryHosts(registries: RegistryConfigSpec): readonly HostsFile[] {
  const mirrored = Object.entries(registries.mirrors).flatMap(([registry, { endpoints, skipFallback }]) => {
    const folder = folderOf(registry);
    const hosts = endpoints.map(({ endpoint, overridePath }) => ({
      url: endpoint,
      host: new URL(endpoint).host,
      settings: { capabilities: ["pull", "resolve"], ...(overridePath ? { override_path: true } : {}) },
    }));
    return folderFiles(folder, registries, hosts, skipFallback);
  });
  const direct = Object.keys(registries.tls)
    .filter((registry) => registry !== "*" && !Object.hasOwn(registries.mirrors, registry))
    .flatMap((registry) => {
      const host = { url: `https://${registry === "docker.io" ? "registry-1.docker.io" : registry}`, host: registry };
      return folderFiles(folderOf(registry), registries, [{ ...host, settings: {} }], true);
    });
  return [...mirrored, ...direct];
}

/** containerd spells `:port` as `_port_`, and every other registry as `_default`. */
function folderOf(registry: string): string {
  return registry === "*" ? "_default" : registry.replace(/:(\d+)$/, "_$1_");
}

interface Host {
  readonly url: string;
  readonly host: string;
  readonly settings: TomlTable;
}

/** Without a fallback the last host stands in for the registry itself. */
function folderFiles(
  folder: string,
  { tls }: RegistryConfigSpec,
  hosts: readonly Host[],
  skipFallback: boolean,
): readonly HostsFile[] {
  const files: HostsFile[] = [];
  const place = (name: string, contents: Uint8Array | string): string => {
    files.push({ path: `${folder}/${name}`, contents: Buffer.from(contents) });
    return `${hostsFolder}/${folder}/${name}`;
  };
  const complete = hosts.map(({ url, host, settings }) => {
    const { ca, clientIdentity, insecureSkipVerify = false } = tls[host] ?? {};
    const named: TomlTable = {
      ...settings,
      ...(ca === undefined || ca.length === 0 ? {} : { ca: place(`${host}-ca.crt`, ca) }),
      ...(clientIdentity === undefined
        ? {}
        : {
            client: [
              [place(`${host}-client.crt`, clientIdentity.crt), place(`${host}-client.key`, clientIdentity.key)],
            ],
          }),
      ...(insecureSkipVerify ? { skip_verify: true } : {}),
    };
    return [url, named] as const;
  });
  const last = skipFallback ? complete.at(-1) : undefined;
  const others = last === undefined ? complete : complete.slice(0, -1);
  const document: TomlTable = {
    ...(last === undefined ? {} : { server: last[0], ...last[1] }),
    ...(others.length === 0 ? {} : { host: Object.fromEntries(others) }),
  };
  place("hosts.toml", renderToml(document));
  return files;
}
