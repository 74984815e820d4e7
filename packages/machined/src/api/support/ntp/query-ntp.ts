import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { OsError, timeLimit, type Clock } from "@talos-ts/base";
import { ntpRequest, parseNtpResponse, type NtpTime } from "./ntp-packet.ts";

const ntpPort = 123;
const timeoutMs = 5000;

/** Asks a server for the time, once. @param server `name`, `name:port`, `address` or `[address]:port` */
export async function queryNtp(server: string, clock: Clock, signal: AbortSignal): Promise<NtpTime> {
  const { host, port } = splitServer(server);
  const { address, family } = await lookup(host);
  const nonce = randomBytes(8).readBigUInt64BE();
  using limit = timeLimit(timeoutMs, { clock, signal, reason: timedOut });
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  socket.once("message", resolve).on("error", reject);
  try {
    // A connected socket takes answers from nobody else.
    socket.connect(port, address, () => socket.send(ntpRequest(nonce)));
    return parseNtpResponse(await limit.race(promise), nonce);
  } finally {
    socket.close();
  }
}

function timedOut(): OsError {
  return new OsError({ kind: "deadline-exceeded", code: "time/no-answer", message: "i/o timeout" });
}

function splitServer(server: string): { readonly host: string; readonly port: number } {
  if (isIPv6(server)) return { host: server, port: ntpPort };
  const [, host = server, port] = /^\[?([^\]]+?)\]?(?::(\d{1,5}))?$/.exec(server) ?? [];
  return { host, port: port === undefined ? ntpPort : Number(port) };
}
