import type { ClusterPlan } from "./cluster-plan.ts";
import { startHostProcess } from "./host-process.ts";

/**
 * Starts the supervisor of a cluster unless it runs.
 *
 * @param command Command line of a program that takes `--cluster-directory` and calls `superviseCluster`.
 */
export async function startSupervisor(
  { directory }: Pick<ClusterPlan, "directory">,
  command: readonly string[],
): Promise<void> {
  await startHostProcess(directory, {
    title: "supervisor",
    code: "provision/no-supervisor",
    command,
    args: [],
    log: "supervisor.log",
  });
}
