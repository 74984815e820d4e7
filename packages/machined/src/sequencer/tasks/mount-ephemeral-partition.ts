import type { State } from "@talos-ts/cosi";
import type { Task } from "../../sequence.ts";
import { acquireVolume, releaseVolume, type VolumeClaim } from "../../volumes/volume-claim.ts";

const claim: VolumeClaim = {
  id: "sequencer-EPHEMERAL",
  volume: "EPHEMERAL",
  requester: "sequencer",
  finalizer: "sequencer",
};

/** Mounts the volume behind `/var` and holds it until the machine goes down. */
export function mountEphemeralPartition({ state }: { readonly state: State }): Task {
  return ({ signal }) => acquireVolume(state, claim, signal);
}

/** Releases the volume; does nothing on a machine that did not get as far as mounting it. */
export function releaseEphemeralPartition(state: State, signal: AbortSignal): Promise<void> {
  return releaseVolume(state, claim, signal);
}
