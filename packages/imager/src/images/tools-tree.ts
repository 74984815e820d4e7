import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "@talos-ts/host";
import type { Architecture } from "../architecture.ts";
import { selectFiles } from "../rootfs/select-files.ts";
import type { TarEntry } from "./tar-entry.ts";

const topLinks = { bin: "usr/bin", sbin: "usr/sbin", lib: "usr/lib", lib64: "usr/lib64" } as const;

/** Describes what is taken from packages into a layer. */
export interface ToolSelection {
  readonly programs: readonly string[];
  readonly plainFiles: readonly string[];
  /** Folders that are taken whole; `<triplet>` stands for the folder of libraries. */
  readonly trees: readonly string[];
  /** Other names of programs: path → target. */
  readonly links: Readonly<Record<string, string>>;
}

/** The tools of images with everything they need, from a folder with extracted packages. */
export async function toolEntries(
  raw: string,
  packages: readonly string[],
  contents: ToolSelection,
  { triplet }: Architecture,
): Promise<TarEntry[]> {
  const files = await selectFiles({
    root: raw,
    libraryFolders: [`usr/lib/${triplet}`, "usr/lib"],
    files: [...contents.programs, ...contents.plainFiles],
    trees: contents.trees.map((path) => path.replace("<triplet>", triplet)),
    libraries: [],
  });
  const links = { ...topLinks, ...contents.links };
  const taken = files.filter((path) => !Object.hasOwn(links, path));
  return [
    ...(await Promise.all(taken.map((path) => entryOf(raw, path)))),
    ...Object.entries(links).map(([path, target]): TarEntry => ({ type: "symlink", path, target })),
    ...(await licences(raw, packages)),
  ];
}

/** The trusted roots in one file; Debian joins them in a maintainer script. */
export async function readCertificates(raw: string): Promise<Buffer> {
  const folder = join(raw, "usr/share/ca-certificates/mozilla");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".crt")).sort();
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))));
}

/** Of the mode only "may be run" survives, so that no set-uid bit enters an image. */
async function entryOf(raw: string, path: string): Promise<TarEntry> {
  const from = join(raw, path);
  const info = await lstat(from);
  if (info.isSymbolicLink()) return { type: "symlink", path, target: await readlink(from) };
  const mode = (info.mode & 0o111) === 0 ? 0o644 : 0o755;
  return { type: "file", path, mode, content: { from, size: info.size } };
}

async function licences(raw: string, packages: readonly string[]): Promise<TarEntry[]> {
  const paths = packages.map((name) => `usr/share/doc/${name}/copyright`);
  const found = await Promise.all(paths.map((path) => exists(join(raw, path))));
  const entries = await Promise.all(paths.filter((_path, index) => found[index]).map((path) => entryOf(raw, path)));
  return entries.filter(({ type }) => type === "file");
}
