import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { baseEnvironment } from "./run-tool.ts";

/** A program that the host lacks. */
export interface MissingProgram {
  readonly name: string;
  /** The Debian package that brings it. */
  readonly package: string;
}

/**
 * Returns the programs that are in no folder of the search path, in the order given.
 *
 * @param packages The Debian package of each program, by the name of the program.
 * @param path Folders to look in, as in `PATH`. Default: those that `runTool` looks in.
 */
export async function findMissingPrograms(
  packages: Readonly<Record<string, string>>,
  path = baseEnvironment()["PATH"] ?? "",
): Promise<MissingProgram[]> {
  const missing: MissingProgram[] = [];
  for (const [name, debian] of Object.entries(packages)) {
    const found = await Promise.all(path.split(delimiter).map((folder) => isExecutable(join(folder, name))));
    if (!found.includes(true)) missing.push({ name, package: debian });
  }
  return missing;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
