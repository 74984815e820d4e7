import type { Linux } from "@talos-ts/linux";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { kindOf, reconcileController, shared, weak, type Controller } from "@talos-ts/cosi";
import { RegistryConfig, type RegistryConfigSpec } from "@talos-ts/machinery/resources/cri";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { hostsFolder, registryHosts, type HostsFile } from "./internal/registry-hosts.ts";
import { renderToml } from "../../toml/render.ts";
import { etcLabel } from "../internal/etc-label.ts";

const source = "/system/etc/cri/conf.d/hosts";
const registriesPart = "cri/conf.d/01-registries.part";
export const criPlugin = "io.containerd.grpc.v1.cri";

/** Tells containerd how to reach registries: hosts in a folder of its own, credentials in a part of its configuration. */
export function criRegistryConfigController(machine: { readonly linux: Linux; readonly root: string }): Controller {
  const folder = `${machine.root}${source}`;
  let mounted = false;
  return reconcileController({
    name: "files.CRIRegistryConfigController",
    inputs: [weak(RegistryConfig, { id: RegistryConfig.id })],
    outputs: [shared(EtcFileSpec)],
    cleanup: [kindOf(EtcFileSpec)],
    async reconcile(context) {
      const registries = (await context.find(RegistryConfig, RegistryConfig.id))?.spec;
      if (registries === undefined) return;
      await syncFolder(folder, registryHosts(registries));
      if (!mounted) await machine.linux.mounts.bind(folder, `${machine.root}${hostsFolder}`, { options: ["ro"] });
      mounted = true;
      const contents = registriesToml(registries);
      await context.put(EtcFileSpec, registriesPart, () => ({ contents, mode: 0o600, selinuxLabel: etcLabel }));
    },
  });
}

function registriesToml({ auths }: RegistryConfigSpec): string {
  const configs = Object.entries(auths).map(([host, { username, password, auth, identityToken }]) => {
    const given = { username, password, auth, identitytoken: identityToken };
    return [host, { auth: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")) }] as const;
  });
  const registry = {
    config_path: hostsFolder,
    ...(configs.length === 0 ? {} : { configs: Object.fromEntries(configs) }),
  };
  return renderToml({ plugins: { [criPlugin]: { registry } } });
}

/** Makes the folder hold these files and no others, without touching those that are as they should be. */
async function syncFolder(folder: string, files: readonly HostsFile[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const wanted = new Set(files.map(({ path }) => path));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isWanted = entry.isDirectory()
      ? files.some((file) => file.path.startsWith(`${relative(folder, path)}/`))
      : wanted.has(relative(folder, path));
    if (!isWanted) await rm(path, { recursive: true, force: true });
  }
  for (const file of files) {
    const path = join(folder, file.path);
    const present = await readFile(path).catch(() => undefined);
    if (present?.equals(file.contents) === true) continue;
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, file.contents, { mode: 0o600 });
  }
}
