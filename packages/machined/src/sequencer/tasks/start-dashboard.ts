import type { Linux } from "@talos-ts/linux";
import { chooseConsole } from "../../dashboard/choose-console.ts";
import type { Task } from "../../sequence.ts";
import type { StartServices } from "../../services/start-services.ts";

/** Starts the dashboard, or says why the machine has no terminal for it. */
export function startDashboard({
  linux,
  startServices,
}: {
  readonly linux: Pick<Linux, "consoles" | "procfs">;
  readonly startServices: StartServices;
}): Task {
  return async ({ log, sequencer }) => {
    const choice = await chooseConsole(linux);
    if ("missing" in choice) return log(`dashboard is not started: ${choice.missing}`);
    startServices(sequencer, "dashboard");
  };
}
