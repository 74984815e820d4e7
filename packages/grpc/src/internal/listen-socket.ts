import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { chmod, chown, rename, stat } from "node:fs/promises";
import type { AddressInfo, Server } from "node:net";
import { dirname, join } from "node:path";
import { hostPort, OsError } from "@talos-ts/base";

export interface UnixAddress {
  readonly unix: string;
  /** @default {0o600} */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
}

export interface TcpAddress {
  readonly host: string;
  /** `0` picks a free one. */
  readonly port: number;
}

/** Address of a listener; `target` is the form a channel takes. */
export interface BoundAddress {
  readonly target: string;
  /** `0` for a unix socket. */
  readonly port: number;
  release(): void;
}

export async function listenTcp(server: Server, address: TcpAddress): Promise<BoundAddress> {
  await listening(server, `${address.host}:${String(address.port)}`, () =>
    server.listen({ host: address.host, port: address.port }),
  );
  const { port } = server.address() as AddressInfo;
  return { target: hostPort(address.host, port), port, release: () => {} };
}

/**
 * Binds beside the final path and moves into place only when owner and mode are right: nobody connects before that, and
 * a socket left behind by a crash is replaced in one step.
 */
export async function listenUnix(server: Server, address: UnixAddress): Promise<BoundAddress> {
  // Node removes the name it bound when it closes, so the name must be nobody else's.
  const staging = join(dirname(address.unix), `.${randomBytes(4).toString("hex")}`);
  await listening(server, address.unix, () => server.listen({ path: staging }));
  if (address.uid !== undefined || address.gid !== undefined)
    await chown(staging, address.uid ?? -1, address.gid ?? -1);
  await chmod(staging, address.mode ?? 0o600);
  const { ino } = await stat(staging);
  await rename(staging, address.unix);
  return {
    target: `unix://${address.unix}`,
    port: 0,
    // In one go, so that a successor in this process cannot take the name between the look and the removal.
    release() {
      if (statSync(address.unix, { throwIfNoEntry: false })?.ino === ino) rmSync(address.unix, { force: true });
    },
  };
}

function listening(server: Server, where: string, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void => {
      const { kind } = OsError.from(cause, "failed-precondition");
      const message = `Cannot listen on ${where}: ${cause.message}`;
      reject(new OsError({ kind, code: "grpc/listen", message, cause }));
    };
    server.once("error", failed);
    server.once("listening", () => {
      server.off("error", failed);
      // A connection that cannot be accepted (no descriptors left) is the peer's loss, not the process's.
      server.on("error", () => {});
      resolve();
    });
    listen();
  });
}
