import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { OsError } from "@talos-ts/base";
import { ntpRequest, parseNtpResponse, type NtpTime } from "./ntp-packet.ts";

const ntpPort = 123;
const timeoutMs = 5000;

/** Asks a server for the time, once. @param server `name`, `name:port`, `address` or `[address]:port` */
export async function queryNtp(server: string, signal: AbortSignal): Promise<NtpTime> {
  const { host, port } = splitServer(server);
  const { address, family } = await lookup(host);
  const nonce = randomBytes(8).readBigUInt64BE();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const late = (): void =>
    reject(new OsError({ kind: "deadline-exceeded", code: "time/no-answer", message: "i/o timeout" }));
  socket.once("message", resolve).on("error", reject);
  limit.addEventListener("abort", late, { once: true });
  if (limit.aborted) late();
  try {
    // A connected socket takes answers from nobody else.
    socket.connect(port, address, () => socket.send(ntpRequest(nonce)));
    return parseNtpResponse(await promise, nonce);
  } finally {
    limit.removeEventListener("abort", late);
    socket.close();
  }
}

function splitServer(server: string): { readonly host: string; readonly port: number } {
  if (isIPv6(server)) return { host: server, port: ntpPort };
  const [, host = server, port] = /^\[?([^\]]+?)\]?(?::(\d{1,5}))?$/.exec(server) ?? [];
  return { host, port: port === undefined ? ntpPort : Number(port) };
}
