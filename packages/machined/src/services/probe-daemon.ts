import { connect } from "node:tls";
import { OsError } from "@talos-ts/base";
import { createChannel, createClient } from "@talos-ts/grpc";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "@talos-ts/proto/grpc/health";

/**
 * Shakes hands over TLS on the port and asks the daemon over gRPC whether it serves.
 *
 * A daemon that hangs still has its port open: the kernel accepts for it. Only an answer that it had to think about shows that
 * it works. The handshake needs no client certificate, so the question itself goes over a socket of the machine.
 */
export async function probeDaemon(port: number, healthSocket: string, signal: AbortSignal): Promise<void> {
  await shakeHands(port, signal);
  await using channel = createChannel({ target: `unix://${healthSocket}` });
  const { status } = await createClient(Health, channel).check({ service: "" }, { signal });
  if (status === ServingStatus.SERVING) return;
  throw new OsError({
    kind: "unavailable",
    code: "service/not-serving",
    message: "the daemon does not report the status SERVING",
  });
}

/** Resolves once the server has finished its part of the handshake; the names in the certificate are not checked here. */
function shakeHands(port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    const end = (outcome: () => void): void => {
      signal.removeEventListener("abort", aborted);
      // What a server says of the missing client certificate comes after the handshake.
      socket.on("error", () => undefined).destroy();
      outcome();
    };
    const aborted = (): void => end(() => reject(signal.reason as Error));
    socket.once("secureConnect", () => end(resolve));
    socket.once("error", (err) => end(() => reject(err)));
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) aborted();
  });
}
