import { type Progress, silent } from "./progress.ts";
import { runTool } from "./run-tool.ts";

/** Time to wait for another apt or dpkg to end, in seconds. */
const lockTimeout = 120;

/**
 * Installs Debian packages on the host, from the archives its administrator chose.
 *
 * Needs root and the network. Reports every package that apt fetches, unpacks and sets up as a step.
 *
 * @throws OsError `tool/failed` with the last lines of apt.
 */
export async function installPackages(
  packages: readonly string[],
  progress: Progress = silent,
  signal?: AbortSignal,
): Promise<void> {
  const stage = `install ${packages.join(", ")}`;
  const onLine = (line: string): void => {
    if (/^(?:Get:|Unpacking|Setting up)/.test(line)) progress({ stage, state: "step", detail: line });
  };
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, onLine, ...(signal === undefined ? {} : { signal }) };
  const apt = ["-q", "-o", `DPkg::Lock::Timeout=${lockTimeout}`];
  progress({ stage, state: "start" });
  await runTool("apt-get", [...apt, "update"], options);
  await runTool("apt-get", [...apt, "-y", "--no-install-recommends", "install", ...packages], options);
  progress({ stage, state: "done" });
}
