import { runTool } from "@talos-ts/host";

/** Commit that a bundle is made from; empty values when the sources are no git checkout. */
export interface BuildInfo {
  readonly sha: string;
  readonly built: string;
  /** Version under which an image is made. @default that of the sources */
  readonly version?: string;
}

/**
 * Returns commit and commit time of the checkout that a folder lies in.
 *
 * The time of the commit, not of the build: the same sources must give the same image.
 */
export async function readBuildInfo(folder: string): Promise<BuildInfo> {
  const git = async (...args: readonly string[]): Promise<string> => {
    // The checkout may belong to another user than root.
    const { stdout } = await runTool("git", ["-c", "safe.directory=*", "-C", folder, ...args], { env: { TZ: "UTC" } });
    return stdout.trim();
  };
  try {
    return {
      sha: await git("describe", "--match=none", "--always", "--abbrev=8", "--dirty"),
      built: await git("show", "--no-patch", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "HEAD"),
    };
  } catch {
    // No git, or no checkout: a bundle from an archive of the sources says that it does not know.
    return { sha: "", built: "" };
  }
}

/** Replacements for a bundler that put the facts where `buildInfo` of the machinery looks for them. */
export function buildDefinitions(info: BuildInfo): Record<string, string> {
  return { "globalThis.TALOS_TS_BUILD": JSON.stringify(info) };
}
