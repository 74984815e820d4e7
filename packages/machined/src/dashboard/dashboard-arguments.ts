import { parseKernelArguments } from "../command-line/kernel-arguments.ts";

/** Settings of the dashboard on the kernel's command line. */
export interface DashboardArguments {
  /** `talos.dashboard.disabled=1`. */
  readonly disabled: boolean;
  /** `talos.dashboard.console=ttyS1`: name of the terminal that shows it. @default a virtual terminal */
  readonly console: string | undefined;
}

/** Values that mean yes, as Talos reads them. */
const yes: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/** Reads the settings of the dashboard from the content of `/proc/cmdline`. */
export function dashboardArguments(commandLine: string): DashboardArguments {
  const args = parseKernelArguments(commandLine);
  return {
    disabled: yes.has(args.last("talos.dashboard.disabled") ?? ""),
    console: args.last("talos.dashboard.console") || undefined,
  };
}
