import { OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Session } from "../session/session.ts";

/** Ways to upgrade: the lifecycle service, or the one call that machines before v1.13 have. */
export type UpgradeMethod = "lifecycle" | "legacy";

/**
 * Asks all nodes what they are, before anything is pulled or installed.
 *
 * @returns `legacy` when a node is older than the lifecycle service
 * @throws {OsError} `upgrade/container` when a node is a container: whoever made it gives it another image
 */
export async function chooseMethod(session: Session, signal: AbortSignal): Promise<UpgradeMethod> {
  const tags = await Promise.all(
    session.targets.map(async (target) => {
      const { messages } = await session.one(MachineService, target).version({}, { signal });
      const { version, platform } = messages[0] ?? {};
      if (platform?.mode === "container") throw inContainer(target ?? session.defaultNode);
      return version?.tag ?? "";
    }),
  );
  return tags.every(hasLifecycle) ? "lifecycle" : "legacy";
}

/** The service came with v1.13.0-alpha.3; the next major version may do it in another way. */
function hasLifecycle(tag: string): boolean {
  const [, major = "", minor = "", patch = "", alpha] = /^v?(\d+)\.(\d+)\.(\d+)(?:-alpha\.(\d+))?/.exec(tag) ?? [];
  if (major !== "1" || Number(minor) < 13) return false;
  return alpha === undefined || Number(minor) > 13 || Number(patch) > 0 || Number(alpha) > 2;
}

function inContainer(node: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "upgrade/container",
    message: `error during upgrade: error from node ${node}: upgrade is not supported in container mode`,
    next: "talosctl cluster destroy, then talosctl cluster create with the new version; upgrade-k8s upgrades Kubernetes in place",
  });
}
