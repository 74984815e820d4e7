import { OsError } from "@talos-ts/base";
import { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import type { imageNamespace } from "../commands/image/image-namespace.ts";
import type { Session } from "../session/session.ts";

/** Describes an installation on one node. */
export interface InstallerRun {
  /** The node; `undefined` for the endpoint itself. */
  readonly target: string | undefined;
  readonly image: string;
  readonly containerd: ReturnType<typeof imageNamespace>;
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Lets a node run an installer image that it has, and tells its output line by line. The machine goes on with the present
 * version until it reboots.
 *
 * @throws {OsError} `upgrade/installer` when the installer fails, or the node does not say how it ended
 */
export async function runInstaller(session: Session, run: InstallerRun): Promise<void> {
  const { target, image, containerd, tell, signal } = run;
  const request = { containerd, source: { imageName: image } };
  let exitCode: number | undefined;
  for await (const { progress } of session.one(LifecycleService, target).upgrade(request, { signal })) {
    const { response } = progress ?? {};
    if (response?.case === "message") for (const line of response.value.trimEnd().split("\n")) tell(line);
    if (response?.case === "exitCode") exitCode = response.value;
  }
  if (exitCode === 0) return tell("upgrade completed");
  const how = exitCode === undefined ? "ended without an exit code" : `failed with exit code ${String(exitCode)}`;
  throw new OsError({
    kind: "aborted",
    code: "upgrade/installer",
    message: `upgrade ${how}`,
    next: `talosctl ${target === undefined ? "" : `--nodes ${target} `}dmesg`,
  });
}
