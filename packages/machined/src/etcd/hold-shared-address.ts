import type { Clock } from "@talos-ts/base";
import type { EtcdAccess } from "./dependencies.ts";
import { openLocalEtcdClient } from "./open-client.ts";
import { takePlace, untilFirst } from "./queue/place.ts";
import { openEtcdSession } from "./queue/session.ts";

/** Seconds until another machine may take the address of one that is gone. */
const ttlSeconds = 15;

/** Election of the machine that has a shared address; the name is that of Talos, so that both kinds of machines may mix. */
const electionOf = (address: string): string => `talos:v1:vip:election:${address}`;

/**
 * Takes part in the election for a shared address until the signal aborts or etcd does not answer any more, and gives the place up.
 *
 * @param candidate Name of this machine in the election.
 * @param onOwner Called with `true` when this machine has won, and with `false` before it gives the address up.
 */
export async function holdSharedAddress(
  machine: EtcdAccess & { readonly clock: Clock },
  { address, candidate }: { readonly address: string; readonly candidate: string },
  onOwner: (owner: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = electionOf(address);
  await using client = await openLocalEtcdClient(machine);
  await using session = await openEtcdSession(client, { clock: machine.clock, ttlSeconds, signal });
  const place = await takePlace(client, session, queue, candidate);
  await untilFirst(client, queue, place, session.ended);
  onOwner(true);
  try {
    await new Promise<void>((resolve) => {
      if (session.ended.aborted) resolve();
      session.ended.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    onOwner(false);
  }
}
