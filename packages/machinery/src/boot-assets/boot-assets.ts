import { OsError } from "@talos-ts/base";

/** Parts that a disk is made bootable with: the boot loader, and kernel, initramfs and root file system in one program for UEFI. */
export type BootAssetName = "loader" | "uki";

/** File of a boot asset, and what must be in it. */
export interface BootAsset {
  /** Relative to the folder that the assets are in. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** Describes the boot assets of one version of the system; stands beside them. */
export interface BootManifest {
  /** As in `v1.13.9`. */
  readonly version: string;
  /** `amd64`, `arm64`. */
  readonly architecture: string;
  readonly files: Readonly<Record<BootAssetName, BootAsset>>;
}

/** Folders and manifests of boot assets, by where they are: in an installer image, or on a medium that machines start from. */
export const bootAssetPaths = {
  image: (architecture: string) => ({ folder: `usr/install/${architecture}`, manifest: "manifest.json" }),
  medium: { folder: "", manifest: "INSTALL/MANIFEST" },
} as const;

/** Label of the file system of a medium. */
export const bootMediumLabel = "TALOS-BOOT";

const names: readonly BootAssetName[] = ["loader", "uki"];
/** The version is a part of file names on the disk. */
const versionPattern = /^v\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]{1,40})?$/;
const digestPattern = /^[0-9a-f]{64}$/;
/** Stays below the folder it is relative to. */
const pathPattern = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Writes a manifest as text. */
export function encodeManifest(manifest: BootManifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/**
 * Reads a manifest from its text.
 *
 * @throws OsError `boot/bad-manifest`
 */
export function parseManifest(text: string): BootManifest {
  let value: Partial<BootManifest>;
  try {
    value = JSON.parse(text) as Partial<BootManifest>;
  } catch (err) {
    throw badManifest("it is not JSON", err);
  }
  const { version, architecture, files } = value;
  if (typeof version !== "string" || !versionPattern.test(version))
    throw badManifest(`expected a version such as v1.13.9, got ${JSON.stringify(version)}`);
  if (typeof architecture !== "string") throw badManifest("it names no architecture");
  const checked = names.map((name) => [name, checkAsset(name, files?.[name])] as const);
  return { version, architecture, files: Object.fromEntries(checked) as Record<BootAssetName, BootAsset> };
}

function checkAsset(name: string, asset: Partial<BootAsset> | undefined): BootAsset {
  const { path, size, sha256 } = asset ?? {};
  if (typeof path !== "string" || !pathPattern.test(path)) throw badManifest(`"${name}" has no usable path`);
  if (typeof sha256 !== "string" || !digestPattern.test(sha256)) throw badManifest(`"${name}" has no SHA-256 digest`);
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size <= 0) throw badManifest(`"${name}" has no size`);
  return { path, size, sha256 };
}

function badManifest(reason: string, cause?: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "boot/bad-manifest",
    message: `Cannot read the manifest of boot assets: ${reason}`,
    cause,
  });
}
