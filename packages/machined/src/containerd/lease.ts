import { randomUUID } from "node:crypto";
import { systemClock, type Clock } from "@talos-ts/base";
import type { ContainerdClient, ContainerdServices } from "./client.ts";
import { ignoreAbsent } from "./ignore-absent.ts";

/** A lease that outlives its owner, because the owner crashed, ends by itself after this time. */
const lifetimeMs = 24 * 60 * 60 * 1000;

export interface Lease extends AsyncDisposable {
  readonly id: string;
  /** Services whose creations the lease protects. */
  readonly services: ContainerdServices;
}

/** Protects what is created under it from containerd's garbage collection until it is disposed. */
export async function createLease(
  client: ContainerdClient,
  purpose: string,
  clock: Clock = systemClock,
): Promise<Lease> {
  const expires = new Date(clock.now() + lifetimeMs).toISOString();
  const id = `${purpose}-${randomUUID()}`;
  await client.leases.create({ id, labels: { "containerd.io/gc.expire": expires } });
  return {
    id,
    services: client.leased(id),
    [Symbol.asyncDispose]: () => ignoreAbsent(() => client.leases.delete({ id })),
  };
}
