import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";

/** Identity that a caller shows: a key pair, or nothing. */
export interface Identity {
  readonly cert?: string;
  readonly key?: string;
}

/** Opens a connection of Node's own HTTP/2 client, which keeps none of the promises that ours makes. */
export function openSession(address: string, port: number, identity: Identity): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://${address}:${String(port)}`, {
      ...identity,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      settings: { initialWindowSize: 65_535 },
    });
    session.once("remoteSettings", () => resolve(session));
    session.on("error", reject);
    session.once("close", () => reject(new Error("the connection closed")));
  });
}

/** Starts a call and sends nothing of its request. */
export function openStream(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => undefined);
  return stream;
}

/** The prefix of a message. */
export function prefix(length: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

/** Streams that announce a large message and send it slowly or never to its end. */
export async function unfinishedRequests(
  open: () => Promise<ClientHttp2Session>,
  count: number,
  bytes: number,
  forMs: number,
): Promise<void> {
  const session = await open();
  const chunk = Buffer.alloc(256 * 1024);
  for (let index = 0; index < count; index += 1) {
    const stream = openStream(session, "/cosi.resource.State/List");
    stream.write(prefix(bytes));
    for (let sent = 0; sent + chunk.length < bytes; sent += chunk.length) stream.write(chunk);
  }
  await pause(forMs);
  session.destroy();
}

/** Streams with headers only. */
export async function silentStreams(
  open: () => Promise<ClientHttp2Session>,
  count: number,
  forMs: number,
): Promise<void> {
  const session = await open();
  for (let index = 0; index < count; index += 1) openStream(session, "/machine.MachineService/Version");
  await pause(forMs);
  session.destroy();
}

/** Connections without a word. */
export async function silentConnections(address: string, port: number, count: number, forMs: number): Promise<void> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connectTcp(port, address);
    socket.on("error", () => undefined);
    sockets.push(socket);
    if (index % 100 === 99) await pause(10);
  }
  await pause(forMs);
  for (const socket of sockets) socket.destroy();
}

/** Connections whose calls have answers that nobody reads. */
export async function slowReaders(
  open: () => Promise<ClientHttp2Session>,
  connections: number,
  streams: number,
  forMs: number,
): Promise<void> {
  const sessions: ClientHttp2Session[] = [];
  for (let index = 0; index < connections; index += 1) {
    const session = await open().catch(() => undefined);
    if (session === undefined) continue;
    sessions.push(session);
    session.on("error", () => undefined);
    for (let each = 0; each < streams; each += 1) {
      const stream = openStream(session, "/machine.MachineService/Dmesg");
      stream.pause();
      stream.end(Buffer.concat([prefix(0)]));
    }
  }
  await pause(forMs);
  for (const session of sessions) session.destroy();
}

/** What a client of HTTP/2 says first: the preface, and settings without any. */
const greeting = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/** The version of TLS that a server agrees to, or the reason why not. */
export function offerTls(
  address: string,
  port: number,
  identity: Identity,
  maxVersion: "TLSv1.2" | "TLSv1.3",
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host: address,
      port,
      ...identity,
      maxVersion,
      minVersion: "TLSv1.2",
      rejectUnauthorized: false,
      ALPNProtocols: ["h2"],
    });
    socket.once("secureConnect", () => void socket.write(greeting));
    // An alert about the client's certificate comes after the handshake, instead of the server's settings.
    socket.once("data", () => {
      resolve(socket.getProtocol() ?? "");
      socket.destroy();
    });
    socket.once("error", (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message));
    socket.once("close", () => resolve("closed"));
  });
}
