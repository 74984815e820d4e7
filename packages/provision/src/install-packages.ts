import { inStage, type Progress, runTool } from "@talos-ts/host";

/** Installs Debian packages on the host, from the archives its administrator chose. */
export async function installPackages(
  packages: readonly string[],
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, ...(signal === undefined ? {} : { signal }) };
  await inStage(progress, `install ${packages.join(", ")}`, async () => {
    await runTool("apt-get", ["-q", "update"], options);
    await runTool("apt-get", ["-q", "-y", "--no-install-recommends", "install", ...packages], options);
  });
}
