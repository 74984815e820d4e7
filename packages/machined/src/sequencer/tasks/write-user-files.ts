import { createHash } from "node:crypto";
import { appendFile, chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";
import { makeFolder, writeDurably } from "@talos-ts/host";
import { asType, createResource, pointerTo, type Resource, type State } from "@talos-ts/cosi";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import type { ConfigStore } from "../../config-store.ts";
import type { Task } from "../../sequence.ts";

/** The one file outside of /var that a configuration may bring: settings of the CRI containerd. */
const criCustomization = "/etc/cri/conf.d/20-customization.part";

interface UserFile {
  readonly path: string;
  readonly content: string;
  readonly permissions: number;
  readonly op: string;
}

/** Writes `machine.files`: create, overwrite or append, under the paths that are writable. */
export function writeUserFiles(machine: {
  readonly state: State;
  readonly config: ConfigStore;
  readonly root: string;
}): Task {
  return async ({ log, signal }) => {
    for (const file of (await machine.config.current())?.machine?.files ?? []) {
      const { path = "", content = "", permissions = 0o644, op = "create" } = file;
      log(`writing file ${path}`);
      if (path === criCustomization) await customizeCri(machine, content, signal);
      else if (path.startsWith("/var/") && !path.includes("/../")) {
        await write(`${machine.root}${path}`, { path, content, permissions, op });
      } else throw refused(path);
    }
  };
}

async function write(target: string, file: UserFile): Promise<void> {
  await makeFolder(dirname(target));
  if (file.op === "append") {
    await appendFile(target, file.content);
    await chmod(target, file.permissions);
    return;
  }
  await writeDurably(target, file.content, file.permissions);
}

/** `/etc` is read-only; a controller shows the file there and merges it into what containerd reads. */
async function customizeCri(
  machine: { readonly state: State; readonly config: ConfigStore; readonly root: string },
  content: string,
  signal: AbortSignal,
): Promise<void> {
  const spec = EtcFileSpec.spec({ contents: content, mode: 0o600 });
  await machine.state.create(createResource(EtcFileSpec, criCustomization.replace("/etc/", ""), spec));
  const source = `talos.dev/source-file:${criCustomization}`;
  const digest = createHash("sha256").update(content).digest("hex");
  const merged = "cri/conf.d/cri.toml";
  const { metadata } = await machine.state.watchFor(
    pointerTo(EtcFileSpec, merged),
    { test: (resource) => resource.metadata.annotations[source] === digest },
    signal,
  );
  const written = (resource: Resource): boolean =>
    Number(asType(EtcFileStatus, resource).spec.specVersion) >= metadata.version;
  await machine.state.watchFor(pointerTo(EtcFileStatus, merged), { test: written }, signal);
}

function refused(path: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "files/path-refused",
    message: `create operation not allowed outside of /var: "${path}"`,
    next: "talosctl edit machineconfig",
  });
}
