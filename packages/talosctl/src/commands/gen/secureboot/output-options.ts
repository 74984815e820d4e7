import { join } from "node:path";
import type { Invocation, OptionDefinition } from "../../../command.ts";
import { flag, textOption } from "../../../values.ts";
import { checkNoFiles, writeNewFile } from "../../../write-file.ts";
import { forceOption } from "../force-option.ts";

/** Flags of commands that make files for secure boot. */
export const outputOptions: readonly OptionDefinition[] = [
  { flags: "-o, --output <folder>", description: "folder to write to", default: "_out" },
  forceOption,
];

/** Writes files into the folder, or none when one of them exists and --force is not given. */
export async function writeOutputs(
  invocation: Invocation,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const folder = textOption(invocation, "output") ?? "_out";
  const force = flag(invocation, "force");
  const paths = Object.entries(files).map(([name, content]) => [join(folder, name), content] as const);
  if (!force) await checkNoFiles(paths.map(([path]) => path));
  for (const [path, content] of paths) {
    await writeNewFile(path, content, { force });
    invocation.io.err(`writing ${path}\n`);
  }
}
