import { timeLimit, type Clock } from "@talos-ts/base";
import type { State } from "@talos-ts/cosi";
import { acquireVolume, releaseVolume, volumeReleased, type VolumeClaim } from "../volumes/volume-claim.ts";
import { condition, type Condition } from "./condition.ts";

/** Time to release one service's volumes, in ms: a service that ended must not wait for ever. */
const releaseTimeoutMs = 10_000;

function claimOf(service: string, volume: string): VolumeClaim {
  return { id: `${service}-${volume}`, volume, requester: `service ${service}`, finalizer: `service-${service}` };
}

/** Claims volumes and holds once all are mounted. The service keeps them until {@link releaseVolumes}. */
export function volumesCondition(state: State, service: string, volumes: readonly string[]): Condition {
  return condition(`volumes ${volumes.join(", ")} to be mounted`, async (signal) => {
    await Promise.all(volumes.map((volume) => acquireVolume(state, claimOf(service, volume), signal)));
  });
}

/**
 * Releases the volumes of a service that ended, in reverse order, whether it had them or still waited for them. Resolves when
 * it can claim them again.
 */
export async function releaseVolumes(
  { state, clock }: { readonly state: State; readonly clock: Clock },
  service: string,
  volumes: readonly string[],
): Promise<void> {
  using limit = timeLimit(releaseTimeoutMs, { clock });
  const claims = volumes.toReversed().map((volume) => claimOf(service, volume));
  for (const claim of claims) await releaseVolume(state, claim, limit.signal);
  for (const claim of claims) await volumeReleased(state, claim, limit.signal);
}
