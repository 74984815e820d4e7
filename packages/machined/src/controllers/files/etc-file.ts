import { rm } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { transformController, type Controller, type Logger } from "@talos-ts/cosi";
import { hasErrno, type Linux } from "@talos-ts/linux";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { writeInPlace } from "../internal/write-in-place.ts";

/** Folder of the files; `/etc` itself is read-only. */
const sources = "/system/etc";
const targets = "/etc";

/**
 * Writes files of `/etc`: their contents live under `/system/etc` and are mounted, read-only, over the empty files of the
 * image.
 */
export function etcFileController(machine: { readonly linux: Linux; readonly root: string }): Controller {
  const { mounts } = machine.linux;
  /** Survives restarts of the controller, as the mounts do. */
  const mounted = new Set<string>();

  async function mount(name: string, logger: Logger): Promise<void> {
    if (mounted.has(name)) return;
    const source = join(machine.root, sources, name);
    const target = join(machine.root, targets, name);
    try {
      await mounts.bind(source, target, { options: ["ro", "nosuid", "nodev", "noexec"] });
    } catch (err) {
      if (!hasErrno(err, "ENOENT")) throw err;
      logger.warn("the image has no file to mount over, the file is only in /system/etc", { target, source });
    }
    mounted.add(name);
  }

  async function unmount(name: string): Promise<void> {
    if (!mounted.has(name)) return;
    try {
      await mounts.unmount(join(machine.root, targets, name), { detach: true });
    } catch (err) {
      if (!hasErrno(err, "EINVAL") && !hasErrno(err, "ENOENT")) throw err;
    }
    mounted.delete(name);
  }

  return transformController({
    name: "files.EtcFileController",
    input: EtcFileSpec,
    output: EtcFileStatus,
    finalizers: true,
    async transform({ metadata, spec }, { logger }) {
      checkName(metadata.id);
      await writeInPlace(join(machine.root, sources, metadata.id), spec.contents, spec.mode);
      await mount(metadata.id, logger);
      return { specVersion: String(metadata.version) };
    },
    async beforeRelease({ metadata }) {
      await unmount(metadata.id);
      await rm(join(machine.root, sources, metadata.id), { force: true });
    },
  });
}

function checkName(name: string): void {
  if (name !== "" && !name.startsWith("/") && !name.split("/").includes("..")) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "files/bad-name",
    message: `Cannot write "${name}" under ${targets}: expected a path below it`,
  });
}
