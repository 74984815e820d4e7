import type { Linux } from "@talos-ts/linux";
import { dashboardArguments } from "./dashboard-arguments.ts";

/** Virtual terminals by what they show, as in Talos. */
export const virtualTerminals = { kernelLog: 1, dashboard: 2 } as const;

/** Terminal of the dashboard. */
export interface DashboardConsole {
  readonly device: string;
  /** True for a virtual terminal, which somebody has to bring onto the display. */
  readonly virtual: boolean;
}

/** Terminal of the dashboard, or why there is none. */
export type ConsoleChoice = DashboardConsole | { readonly missing: string };

/** Chooses the terminal of the dashboard: the one that the kernel's command line names, or a virtual terminal if the machine has a display. */
export async function chooseConsole(linux: Pick<Linux, "consoles" | "procfs">): Promise<ConsoleChoice> {
  const { console } = dashboardArguments(await linux.procfs.commandLine());
  if (console !== undefined) {
    if (/^tty[^/]*$/.test(console)) return { device: `/dev/${console}`, virtual: false };
    return { missing: `talos.dashboard.console=${console} names no terminal, such as ttyS1` };
  }
  if ((await linux.consoles.display()) === undefined) {
    return { missing: "the machine has no display; talos.dashboard.console=ttyS1 would show it on a serial console" };
  }
  return { device: `/dev/tty${String(virtualTerminals.dashboard)}`, virtual: true };
}
