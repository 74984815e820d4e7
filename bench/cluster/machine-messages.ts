import type { BenchClient } from "./client.ts";

/** A line that the machine wrote, with the time of the system clock in ms. */
export interface MachineMessage {
  readonly atMs: number;
  readonly text: string;
}

/** Reads what a machine said since it was booted, oldest first. */
export async function machineMessages(client: BenchClient, node: string): Promise<readonly MachineMessage[]> {
  const lines = (await client.run("--nodes", node, "dmesg")).split("\n");
  return lines.flatMap((line) => {
    const [, time = "", text = ""] = /: \[(\S+Z)\]: \[talos\] (.*)$/.exec(line) ?? [];
    return text === "" ? [] : [{ atMs: Date.parse(time), text }];
  });
}

/** Finds the time at which a service first came to a state, and at which it went on from there; `NaN` when it never did. */
export function serviceStep(
  messages: readonly MachineMessage[],
  service: string,
  wanted: RegExp,
): { readonly from: number; readonly to: number } {
  const own = messages.filter(({ text }) => text.startsWith(`service[${service}](`));
  const at = own.findIndex(({ text }) => wanted.test(text));
  return { from: own[at]?.atMs ?? Number.NaN, to: at < 0 ? Number.NaN : (own[at + 1]?.atMs ?? Number.NaN) };
}
