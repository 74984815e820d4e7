import { basename } from "node:path";
import type { ProcessInfo } from "@talos-ts/proto/machine/container";

/** Returns what a process runs, with the path of the program; a thread of the kernel has only a name. */
export function commandLine({
  command,
  executable,
  args,
}: Pick<ProcessInfo, "command" | "executable" | "args">): string {
  if (executable === "") return printable(command);
  const [first = ""] = args.split(/\s/);
  const whole = first !== "" && first === basename(executable) ? executable + args.slice(first.length) : args;
  return printable(whole);
}

const printable = (text: string): string => text.replaceAll(/[^\u0020-\u007e]/g, " ");
