import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OsError } from "@talos-ts/base";
import { syncFolder } from "@talos-ts/host";
import { parseManifest, type BootAssetName, type BootManifest } from "@talos-ts/machinery/boot-assets";

/** Boot assets that can be read, until they are disposed. */
export interface BootAssets extends AsyncDisposable {
  readonly manifest: BootManifest;
  /** Path of a file of theirs. */
  path(name: BootAssetName): string;
}

/** Names of architectures by those that Node.js has for them. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** The architecture of this machine, as images name it. */
export function bootArchitecture(name: string = process.arch): string {
  return architectures[name] ?? name;
}

/**
 * Reads the manifest of assets that lie in a folder.
 *
 * @param from What they are in, for messages.
 * @throws OsError `boot/no-assets`, `boot/bad-manifest`, `boot/other-architecture`
 */
export async function readAssets(
  folder: string,
  manifestPath: string,
  from: string,
): Promise<Omit<BootAssets, typeof Symbol.asyncDispose>> {
  const text = await readFile(join(folder, manifestPath), "utf8").catch((err: unknown) => {
    throw noAssets(from, err);
  });
  const manifest = parseManifest(text);
  const wanted = bootArchitecture();
  if (manifest.architecture !== wanted) {
    throw new OsError({
      kind: "failed-precondition",
      code: "boot/other-architecture",
      message: `Cannot install from ${from}: it is for ${manifest.architecture}, this machine is ${wanted}`,
    });
  }
  return { manifest, path: (name) => join(folder, manifest.files[name].path) };
}

/**
 * Copies an asset so that the target is there whole or not at all, also after a power cut: under another name at first, and only with
 * the content that the manifest promises.
 *
 * @throws OsError `boot/damaged-asset`, `boot/no-space`
 */
export async function copyAsset(
  assets: Pick<BootAssets, "manifest" | "path">,
  name: BootAssetName,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const expected = assets.manifest.files[name];
  const draft = `${target}.tmp`;
  await rm(draft, { force: true });
  try {
    {
      await using file = await open(draft, "wx", 0o600);
      const found = await copyInto(file, assets.path(name), signal);
      if (found.sha256 !== expected.sha256) throw damaged(assets.manifest, name, found.sha256);
      await file.sync();
    }
    await rename(draft, target);
  } catch (err) {
    await rm(draft, { force: true });
    if ((err as NodeJS.ErrnoException).code === "ENOSPC") throw noSpace(name, expected.size, err);
    throw err;
  }
  await syncFolder(dirname(target));
}

async function copyInto(
  file: FileHandle,
  source: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly sha256: string }> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(source, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
    hash.update(chunk as Buffer);
    await file.writeFile(chunk as Buffer);
  }
  return { sha256: hash.digest("hex") };
}

function noAssets(from: string, cause: unknown): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "boot/no-assets",
    message: `Cannot install from ${from}: it has no boot assets of this system`,
    next: "npm run installer, which makes an installer image",
    cause,
  });
}

function damaged({ version }: BootManifest, name: BootAssetName, found: string): OsError {
  return new OsError({
    kind: "data-loss",
    code: "boot/damaged-asset",
    message: `Cannot install ${version}: its "${name}" has SHA-256 ${found}, which is not that of its manifest`,
    next: "talosctl upgrade, with an image that is whole",
  });
}

function noSpace(name: BootAssetName, bytes: number, cause: unknown): OsError {
  return new OsError({
    kind: "resource-exhausted",
    code: "boot/no-space",
    message: `Cannot write "${name}" to the EFI partition: it needs ${String(bytes)} bytes, and there is not that much space`,
    next: "talosctl get discoveredvolumes",
    cause,
  });
}
