import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { writeDurably } from "@talos-ts/host";
import { SeccompProfile } from "@talos-ts/machinery/resources/cri";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";

const name = "cri.SeccompProfileFileController";
const volume = "/var/lib/kubelet/seccomp/profiles";

/** Writes seccomp profiles where the kubelet looks for those that pods name, and removes all other files there. */
export function seccompProfileFileController({ root }: { readonly root: string }): Controller {
  let written: string | undefined;
  const writing = withMountedVolume({
    controller: name,
    volume,
    root,
    async work(path, context) {
      const profiles = await context.list(SeccompProfile);
      const names = new Set(profiles.map(({ spec }) => checkedName(spec.name)));
      for (const { spec } of profiles) await writeDurably(join(path, spec.name), JSON.stringify(spec.value), 0o644);
      for (const entry of await readdir(path)) {
        if (!names.has(entry)) await rm(join(path, entry), { recursive: true, force: true });
      }
      return versions(profiles);
    },
  });
  return reconcileController({
    name,
    inputs: [weak(SeccompProfile), ...mountedVolumeInputs(name, volume)],
    outputs: [...mountedVolumeOutputs],
    async reconcile(context) {
      const profiles = await context.list(SeccompProfile);
      const wanted = versions(profiles);
      // Without any profile there is nothing to write until there was one.
      if (!writing.busy && (written ?? "") === wanted) return;
      const done = await writing.step(context);
      if (done === undefined) return;
      written = done.value;
      if (written !== wanted) context.queueReconcile();
    },
  });
}

function versions(
  profiles: readonly { readonly metadata: { readonly id: string; readonly version: number } }[],
): string {
  return profiles.map(({ metadata }) => `${metadata.id}@${String(metadata.version)}`).join();
}

function checkedName(profile: string): string {
  if (profile !== "" && !profile.includes("/") && profile !== "." && profile !== "..") return profile;
  throw new OsError({
    kind: "invalid-argument",
    code: "cri/bad-profile-name",
    message: `Cannot write seccomp profile ${JSON.stringify(profile)}: expected the name of a file`,
    next: "talosctl edit machineconfig",
  });
}
