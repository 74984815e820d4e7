import { openTalosconfig, saveTalosconfig, type TalosConfig } from "@talos-ts/machinery/talosconfig";
import type { Invocation } from "../../command.ts";

/** Opens the talosconfig that the command is for. */
export async function readTalosconfig({ global, io }: Invocation): Promise<TalosConfig> {
  return (await openTalosconfig(global.talosconfig, { env: io.env })).config;
}

/** The names of its contexts. */
export async function contextNames(invocation: Invocation): Promise<readonly string[]> {
  return [...(await readTalosconfig(invocation)).contexts.keys()];
}

/** Changes the talosconfig that the command is for; `undefined` leaves it alone. */
export async function editTalosconfig(
  { global, io }: Invocation,
  change: (config: TalosConfig) => TalosConfig | undefined | Promise<TalosConfig | undefined>,
): Promise<void> {
  const file = await openTalosconfig(global.talosconfig, { env: io.env });
  const config = await change(file.config);
  if (config !== undefined) await saveTalosconfig({ ...file, config });
}
