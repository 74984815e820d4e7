import assert from "node:assert/strict";
import { once } from "node:events";
import * as nodeHttp2 from "node:http2";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import type { Http2Connection } from "./connection.ts";
import { errorCodes } from "./constants.ts";
import { fieldsOf, fieldValue, type Field } from "./field.ts";
import { keepAlive, probeOnReuse } from "./keep-alive.ts";
import type { Http2Limits } from "./limits.ts";
import { readBuffers } from "./read-buffers.ts";
import { attachSocket, type SocketEvents } from "./socket.ts";
import type { Http2Stream } from "./stream.ts";
import { requestFields } from "./testing/frames.ts";

interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly connections: Http2Connection[];
  readonly sockets: Socket[];
}

/** Sends back what it gets, then trailers. */
function echo(stream: Http2Stream, fields: readonly Field[]): void {
  stream.sink = {
    data(chunk) {
      if (!stream.write(chunk)) stream.pause();
    },
    drain: () => stream.resume(),
    end: () => stream.end(undefined, fieldsOf(["x-trailer", fieldValue(fields, "x-name") ?? ""])),
    close() {},
  };
  stream.sendHeaders(fieldsOf([":status", "200"], ["x-path", fieldValue(fields, ":path") ?? ""]));
  stream.resume();
}

async function serve(handler = echo, limits: Partial<Http2Limits> = {}): Promise<Listening> {
  const connections: Http2Connection[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    connections.push(attachSocket(socket, { role: "server", limits }, { request: handler }).connection);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function dial(port: number, events: SocketEvents = {}, limits: Partial<Http2Limits> = {}): Http2Connection {
  const buffers = readBuffers();
  const socket = connect({ port, host: "127.0.0.1", onread: buffers.onread });
  return attachSocket(socket, { role: "client", limits, buffers }, events).connection;
}

interface Answer {
  readonly path: string | undefined;
  readonly body: Buffer;
  readonly trailer: string | undefined;
}

/** One request of our client. */
function call(connection: Http2Connection, body: Buffer, name = "n"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let path: string | undefined;
    let trailer: string | undefined;
    const stream = connection.request(fieldsOf(...requestFields, ["x-name", name]), {
      headers: (fields) => (path = fieldValue(fields, "x-path")),
      data: (chunk) => void parts.push(chunk),
      trailers: (fields) => (trailer = fieldValue(fields, "x-trailer")),
      end: () => resolve({ path, body: Buffer.concat(parts), trailer }),
      drain() {},
      close: (code) => reject(new Error(`closed with ${String(code)}`)),
    });
    stream.end(body);
  });
}

function nodeCall(session: nodeHttp2.ClientHttp2Session, body: Buffer, name = "n"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":method": "POST", ":path": "/test", "x-name": name });
    const parts: Buffer[] = [];
    let path: string | undefined;
    let trailer: string | undefined;
    stream.on("response", (headers) => (path = headers["x-path"] as string));
    stream.on("trailers", (headers) => (trailer = headers["x-trailer"] as string));
    stream.on("data", (chunk: Buffer) => parts.push(chunk));
    stream.on("end", () => resolve({ path, body: Buffer.concat(parts), trailer }));
    stream.on("error", reject);
    stream.end(body);
  });
}

const large = Buffer.alloc(5_000_000, "0123456789abcdef");

async function converse(send: (body: Buffer, name: string) => Promise<Answer>): Promise<void> {
  assert.deepEqual(await send(Buffer.from("hello"), "a"), { path: "/test", body: Buffer.from("hello"), trailer: "a" });
  const names = Array.from({ length: 300 }, (_, index) => `call-${String(index)}`);
  const answers = await Promise.all(names.map((name) => send(Buffer.from(name), name)));
  assert.deepEqual(
    answers.map(({ trailer }) => trailer),
    names,
  );
  const [first, second] = await Promise.all([send(large, "x"), send(large, "y".repeat(20_000))]);
  assert.ok(large.equals(first.body) && large.equals(second.body));
  assert.equal(second.trailer?.length, 20_000);
}

describe("attachSocket", () => {
  it("serves our own client", async () => {
    await using server = await serve();
    const connection = dial(server.port);
    await converse((body, name) => call(connection, body, name));
    connection.close();
  });

  it("serves the client of node:http2", async () => {
    await using server = await serve();
    const session = nodeHttp2.connect(`http://127.0.0.1:${String(server.port)}`, {
      settings: { maxHeaderListSize: 100_000 },
    });
    await converse((body, name) => nodeCall(session, body, name));
    session.close();
    await once(session, "close");
  });

  it("calls the server of node:http2", async () => {
    const server = nodeHttp2.createServer({ maxSessionMemory: 100 });
    server.on("stream", (stream: nodeHttp2.ServerHttp2Stream, headers: nodeHttp2.IncomingHttpHeaders) => {
      stream.respond({ ":status": 200, "x-path": headers[":path"] as string }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "x-trailer": headers["x-name"] }));
      stream.pipe(stream);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const connection = dial((server.address() as AddressInfo).port);
    await converse((body, name) => call(connection, body, name));
    connection.close();
    server.close();
    await once(server, "close");
  });

  it("writes the end of a call that is alone at once, and those of many calls together", async () => {
    const written = new Set<number>();
    await using server = await serve((stream, fields) => {
      const [socket] = server.sockets;
      const before = socket?.bytesWritten ?? 0;
      echo(stream, fields);
      stream.end();
      const after = socket?.bytesWritten ?? 0;
      if (after > before) written.add(after);
    });
    const connection = dial(server.port);
    const bodyless = (): Promise<void> =>
      new Promise((resolve) => {
        const sink = { data() {}, drain() {}, end() {}, close: () => resolve() };
        connection.request(fieldsOf(...requestFields), sink, true);
      });
    for (let turn = 1; turn <= 3; turn += 1) {
      await bodyless();
      assert.equal(written.size, turn);
    }
    written.clear();
    await Promise.all(Array.from({ length: 50 }, bodyless));
    assert.ok(written.size <= 2, `${String(written.size)} writes for calls that came together`);
    connection.destroy();
  });

  it("has its whole windows back after thousands of calls cancelled and half read on one connection", async () => {
    const body = Buffer.alloc(40_000);
    await using server = await serve(
      (stream, fields) => {
        const mode = Number(fieldValue(fields, "x-name"));
        stream.sink = {
          data() {
            // Some uploads are left half read, some are refused in the middle.
            if (mode % 5 === 1) stream.pause();
            if (mode % 5 === 2) stream.reset(errorCodes.cancel);
          },
          drain() {},
          end: () => stream.end(),
          close() {},
        };
        stream.sendHeaders(fieldsOf([":status", "200"]));
        stream.write(body);
        if (mode % 5 !== 3) stream.resume();
      },
      { streamResetBurst: 100_000 },
    );
    const connection = dial(server.port, {}, { streamResetBurst: 100_000 });
    let open = 0;
    const total = 4000;
    const done = Promise.withResolvers<void>();
    const start = (mode: number): void => {
      open += 1;
      const stream = connection.request(fieldsOf(...requestFields, ["x-name", String(mode)]), {
        data() {
          if (mode % 4 === 0) stream.reset(errorCodes.cancel);
          if (mode % 4 === 1) stream.pause();
        },
        drain() {},
        end() {},
        close() {
          open -= 1;
          if (next < total) start(next++);
          else if (open === 0) done.resolve();
        },
      });
      stream.write(body);
      if (mode % 3 === 0) stream.end();
      if (mode % 4 !== 0) setImmediate(() => stream.reset(errorCodes.cancel));
    };
    let next = 0;
    while (next < 50) start(next++);
    await done.promise;
    // A last exchange, behind which every frame of the calls before has been handled on both sides.
    await Promise.all([new Promise<void>((resolve) => connection.ping(resolve)), settle(server, connection)]);
    const [served] = server.connections;
    for (const side of [connection, served]) {
      assert.deepEqual(
        { receive: side?.flow.receiveWindow, buffered: side?.flow.bufferedBytes, queued: side?.flow.queuedBytes },
        { receive: 8 * 1024 * 1024, buffered: 0, queued: 0 },
      );
      assert.equal(side?.openStreams, 0);
    }
    // What one side may send is what the other takes, except for what it has taken and not confirmed yet.
    assert.ok((served?.flow.sendWindow ?? 0) > 4 * 1024 * 1024 && connection.flow.sendWindow > 4 * 1024 * 1024);
    connection.close();
  });

  it("drops a peer that does not answer pings, when idle or when used again", async () => {
    await using server = await serve();
    for (const watch of [
      (each: Http2Connection) => keepAlive(each, { intervalMs: 5, timeoutMs: 20, whenIdle: true }),
      (each: Http2Connection) => probeOnReuse(each, { idleMs: 0, timeoutMs: 20 })(),
    ]) {
      const ended = Promise.withResolvers<Error | undefined>();
      const ready = Promise.withResolvers<void>();
      const connection = dial(server.port, { end: ended.resolve, ready: () => ready.resolve() });
      await ready.promise;
      server.sockets.at(-1)?.pause();
      watch(connection);
      assert.match((await ended.promise)?.message ?? "", /no answer to a PING within 20 ms/);
    }
  });

  it("closes when the peer hangs up, and tells the streams", async () => {
    await using server = await serve();
    const connection = dial(server.port);
    await call(connection, Buffer.from("x"));
    const closed = new Promise<number>((resolve) => {
      connection.request(fieldsOf(...requestFields), { data() {}, end() {}, drain() {}, close: resolve });
    });
    for (const socket of server.sockets) socket.destroy();
    assert.equal(await closed, errorCodes.cancel);
    assert.ok(connection.closed);
  });
});

/** Waits until both sides have no stream left. */
async function settle(server: Listening, connection: Http2Connection): Promise<void> {
  while (connection.openStreams + (server.connections[0]?.openStreams ?? 0) > 0) {
    await new Promise<void>((resolve) => connection.ping(resolve));
  }
}
