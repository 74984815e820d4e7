import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import { OsError } from "@talos-ts/base";
import { createFrameReader, frame } from "./frame.ts";
import { answers, type Question } from "./message.ts";

export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

/** Asks a server and resolves to its answer, whatever that is. Rejects when none comes before the signal aborts. */
export type Exchange = (query: Buffer, question: Question, server: DnsServer, signal: AbortSignal) => Promise<Buffer>;

/** By datagram, one socket per question: a fresh port each time is what makes answers hard to forge. */
export const exchangeUdp: Exchange = (query, question, server, signal) =>
  new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4");
    const finish = (work: () => void): void => {
      signal.removeEventListener("abort", aborted);
      socket.close();
      work();
    };
    const aborted = (): void => finish(() => reject(noAnswer(server)));
    socket.once("error", (err) => finish(() => reject(unreachable(server, err))));
    socket.on("message", (bytes, from) => {
      if (from.port === server.port && answers(bytes, query, question)) finish(() => resolve(bytes));
    });
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) return aborted();
    socket.connect(server.port, server.host, () => socket.send(query));
  });

/** By connection, for answers that do not fit into a datagram. */
export const exchangeTcp: Exchange = (query, question, server, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: server.host, port: server.port });
    const read = createFrameReader();
    const finish = (work: () => void): void => {
      signal.removeEventListener("abort", aborted);
      socket.destroy();
      work();
    };
    const aborted = (): void => finish(() => reject(noAnswer(server)));
    socket.once("error", (err) => finish(() => reject(unreachable(server, err))));
    socket.once("end", () => finish(() => reject(noAnswer(server))));
    socket.on("data", (chunk: Buffer) => {
      for (const bytes of read(chunk)) if (answers(bytes, query, question)) finish(() => resolve(bytes));
    });
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) return aborted();
    socket.write(frame(query));
  });

function noAnswer({ host, port }: DnsServer): OsError {
  return new OsError({
    kind: "deadline-exceeded",
    code: "dns/no-answer",
    message: `DNS server ${host} did not answer on port ${String(port)}`,
    next: "talosctl get dnsupstreams",
  });
}

function unreachable({ host, port }: DnsServer, cause: unknown): OsError {
  return new OsError({
    kind: "unavailable",
    code: "dns/unreachable",
    message: `Cannot query DNS server ${host} on port ${String(port)}`,
    cause,
    next: "talosctl get dnsupstreams",
  });
}
