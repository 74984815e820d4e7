import { createResource, isAlreadyExists, isNotFound, pointerTo, type State } from "@talos-ts/cosi";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources/block";
import { condition, type Condition } from "./condition.ts";

/** Names a request and its answer; others see in the list who wants what. */
function requestId(service: string, volume: string): string {
  return `${service}-${volume}`;
}

/** Who holds the answer. */
function holder(service: string): string {
  return `service-${service}`;
}

/**
 * Asks for volumes and holds once all are mounted. The service has them from then on, until {@link releaseVolumes}.
 */
export function volumesCondition(state: State, service: string, volumes: readonly string[]): Condition {
  return condition(`volumes ${volumes.join(", ")} to be mounted`, async (signal) => {
    await Promise.all(volumes.map((volume) => acquire(state, service, volume, signal)));
  });
}

async function acquire(state: State, service: string, volume: string, signal: AbortSignal): Promise<void> {
  const id = requestId(service, volume);
  const spec = VolumeMountRequest.spec({ volumeID: volume, requester: `service ${service}` });
  try {
    await state.create(createResource(VolumeMountRequest, id, spec));
  } catch (err) {
    if (!isAlreadyExists(err)) throw err;
  }
  const answer = pointerTo(VolumeMountStatus, id);
  await state.watchFor(answer, { phases: ["running"] }, signal);
  await state.addFinalizer(answer, holder(service));
}

/** How long giving volumes back may take; a service that is over must not wait for ever. */
const releaseMs = 10_000;

/** Gives volumes back once a service is over, whether it had them or still waited for them. */
export async function releaseVolumes(state: State, service: string, volumes: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(releaseMs);
  for (const volume of volumes.toReversed()) {
    const id = requestId(service, volume);
    try {
      await state.removeFinalizer(pointerTo(VolumeMountStatus, id), holder(service));
    } catch (err) {
      if (!isNotFound(err)) throw err;
    }
    try {
      await state.teardownAndDestroy(pointerTo(VolumeMountRequest, id), { signal });
    } catch (err) {
      if (!isNotFound(err)) throw err;
    }
  }
}
