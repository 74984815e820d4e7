import { OsError } from "@talos-ts/base";
import type { Platform } from "../../platform.ts";

/**
 * Refuses what a machine in a container cannot do to itself: whoever made the container does that.
 * @throws failed precondition
 */
export function requireOwnHardware(
  { platform }: { readonly platform: Platform },
  message = `method is not supported in ${platform.mode} mode`,
): void {
  if (platform.mode !== "container") return;
  throw new OsError({ kind: "failed-precondition", code: "machine/mode", message, next: "talosctl cluster show" });
}
