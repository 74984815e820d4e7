import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PureDependencies } from "../controllers/controller-row.ts";

/** Dependencies of controllers in a dry run, and the temporary directory they may write to; disposing removes it. */
export interface DryRunDependencies extends PureDependencies, AsyncDisposable {}

/**
 * Creates dependencies that cannot reach the machine: an empty root, no hostname to set, and a resolver that answers with a
 * placeholder.
 *
 * @param platform The platform of the machine; only its mode is used.
 */
export async function createDryRunDependencies({
  platform: { mode },
}: Pick<PureDependencies, "platform">): Promise<DryRunDependencies> {
  const root = await mkdtemp(join(tmpdir(), "plan-"));
  return {
    platform: { mode },
    root,
    resolveHost: async (host) => [`<addresses of ${host}>`],
    setHostname: undefined,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
