import { createResource, isAlreadyExists, isNotFound, pointerTo, type State } from "@talos-ts/cosi";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources/block";

/** Claim of one user on one volume: a `VolumeMountRequest`, and a finalizer on the `VolumeMountStatus` that answers it. */
export interface VolumeClaim {
  /** Id of the request and of its answer. */
  readonly id: string;
  readonly volume: string;
  /** Shown in the request as who wants the volume. */
  readonly requester: string;
  readonly finalizer: string;
}

/** Requests the volume, waits until it is mounted, and holds the mount with the finalizer. Idempotent. */
export async function acquireVolume(state: State, claim: VolumeClaim, signal: AbortSignal): Promise<void> {
  const { id, volume, requester, finalizer } = claim;
  const spec = VolumeMountRequest.spec({ volumeID: volume, requester });
  try {
    await state.create(createResource(VolumeMountRequest, id, spec));
  } catch (err) {
    if (!isAlreadyExists(err)) throw err;
  }
  const mounted = pointerTo(VolumeMountStatus, id);
  await state.watchFor(mounted, { phases: ["running"] }, signal);
  await state.addFinalizer(mounted, finalizer);
}

/** Gives up the claim, whether the volume was mounted or still waited for. Idempotent. */
export async function releaseVolume(state: State, claim: VolumeClaim, signal: AbortSignal): Promise<void> {
  await ignoreAbsent(state.removeFinalizer(pointerTo(VolumeMountStatus, claim.id), claim.finalizer));
  await ignoreAbsent(state.teardownAndDestroy(pointerTo(VolumeMountRequest, claim.id), { signal }));
}

/**
 * Waits until nothing is left of a released claim. A claim made before that could hold the mount that is on its way out, and
 * a mount inside it would wait for that one for ever.
 */
export async function volumeReleased(state: State, { id }: VolumeClaim, signal: AbortSignal): Promise<void> {
  await state.watchFor(pointerTo(VolumeMountStatus, id), { events: ["destroyed"] }, signal);
}

async function ignoreAbsent(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (err) {
    if (!isNotFound(err)) throw err;
  }
}
