import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import type { Machine } from "../machine.ts";

/**
 * What a rehearsed controller reaches in place of the machine: a kernel that refuses every call, a root that is an empty
 * directory of its own, and a platform on which the host name is not the machine's to set.
 */
export interface Stage extends Pick<Machine, "linux" | "platform" | "root">, AsyncDisposable {
  /** The platform the node has; only its mode is asked for. */
  readonly real: Pick<Machine, "platform">;
}

export async function createStage({ platform }: Pick<Machine, "platform">): Promise<Stage> {
  const root = await mkdtemp(join(tmpdir(), "plan-"));
  return {
    linux: sealedLinux,
    platform: { ...platform, mode: "container" },
    root,
    real: { platform },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** A kernel nobody may touch: whoever tries is not pure, and fails instead of changing the machine. */
export const sealedLinux = new Proxy({} as Linux, {
  get(_, part) {
    throw new OsError({
      kind: "internal",
      code: "plan/effect",
      message: `A controller that is rehearsed asked for "${String(part)}" of the kernel: expected it to use resources only`,
    });
  },
});
