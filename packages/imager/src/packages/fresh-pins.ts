import { isCode } from "@talos-ts/base";
import type { Progress } from "@talos-ts/host";

/**
 * Builds with the versions that an earlier build pinned, and once more with today's when the archive has dropped one of them: it
 * keeps only the newest, and a build must not fail for that.
 */
export async function withFreshPins<T>(
  refresh: boolean,
  build: (refresh: boolean) => Promise<T>,
  progress: Progress,
): Promise<T> {
  try {
    return await build(refresh);
  } catch (err) {
    if (refresh || !isCode(err, "image/gone")) throw err;
    progress({ stage: "pin packages anew", state: "start", detail: "the archive has dropped a version" });
    const built = await build(true);
    progress({ stage: "pin packages anew", state: "done" });
    return built;
  }
}
