import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import type { AptWorkspace } from "./apt-workspace.ts";
import type { Progress } from "@talos-ts/host";
import type { PinnedPackage } from "./resolve-packages.ts";

/**
 * Downloads the packages that are not here yet, and checks the digest of every one.
 *
 * @throws OsError `image/gone` when the archive no longer has a pinned version, `image/digest` when a file is not what
 *   was pinned (the file is removed, so that the next run downloads it again).
 */
export async function fetchPackages(
  apt: AptWorkspace,
  packages: readonly PinnedPackage[],
  progress: Progress,
): Promise<void> {
  const stage = "download packages";
  const missing: PinnedPackage[] = [];
  for (const pinned of packages) {
    if ((await sha256File(join(apt.archives, pinned.file))) !== pinned.sha256) missing.push(pinned);
  }
  if (missing.length === 0) return progress({ stage, state: "cached" });
  const megabytes = missing.reduce((sum, pinned) => sum + pinned.sizeBytes, 0) / 1e6;
  progress({ stage, state: "start", detail: `${missing.length} packages, ${megabytes.toFixed(1)} MB` });
  let done = 0;
  const specifiers = missing.map(({ name, version }) => `${name}=${version}`);
  await apt
    .run("apt-get", ["-q", "download", ...specifiers], {
      cwd: apt.archives,
      onLine: (line) => {
        if (!line.startsWith("Get:")) return;
        done += 1;
        progress({ stage, state: "step", detail: line.split(" ").slice(3, 6).join(" "), done, total: missing.length });
      },
    })
    .catch((err: unknown) => {
      throw gone(missing, err);
    });
  for (const pinned of missing) await verify(apt, pinned);
  progress({ stage, state: "done" });
}

/** The digest of a file in hex, or undefined when there is no such file. */
export async function sha256File(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw err;
  }
  return hash.digest("hex");
}

async function verify(apt: AptWorkspace, pinned: PinnedPackage): Promise<void> {
  const path = join(apt.archives, pinned.file);
  const actual = await sha256File(path);
  if (actual === pinned.sha256) return;
  await rm(path, { force: true });
  throw new OsError({
    kind: "data-loss",
    code: "image/digest",
    message: `Cannot use package "${pinned.file}" as it was downloaded: expected sha256 ${pinned.sha256}, got ${actual ?? "no file"}`,
  });
}

function gone(missing: readonly PinnedPackage[], cause: unknown): OsError {
  return new OsError({
    kind: "unavailable",
    code: "image/gone",
    message: `Cannot download all of ${missing.length} pinned Debian packages: the archive does not have some of them`,
    next: "apt-get update (the same archive, to see whether it can be reached)",
    cause,
  });
}
