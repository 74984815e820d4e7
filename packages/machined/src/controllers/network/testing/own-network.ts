import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinux, type Linux, type Network } from "@talos-ts/linux";

/** The running kernel with a network namespace of its own, which goes when it is disposed. */
export interface OwnNetwork extends AsyncDisposable {
  readonly linux: Linux;
  readonly network: Network;
  /** File of the namespace. */
  readonly path: string;
}

/** Why a test cannot have a network namespace, or `false`. */
export const cannotOwnNetwork: string | false = process.getuid?.() === 0 ? false : "needs root for a network namespace";

export async function createOwnNetwork(): Promise<OwnNetwork> {
  await using cleanup = new AsyncDisposableStack();
  const real = cleanup.use(createLinux());
  const folder = await mkdtemp(join(tmpdir(), "talos-ts-net-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, randomUUID());
  await real.namespaces.createNetwork(path);
  cleanup.defer(() => real.namespaces.removeNetwork(path));
  const network = cleanup.use(await real.networks.open(path));
  const owned = cleanup.move();
  return {
    linux: { ...real, networks: { here: network, open: (file) => real.networks.open(file) } },
    network,
    path,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
