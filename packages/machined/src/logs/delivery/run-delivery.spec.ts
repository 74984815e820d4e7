import assert from "node:assert/strict";
import { once } from "node:events";
import { createSocket } from "node:dgram";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { createManualClock, systemClock } from "@talos-ts/base";
import { createLogger } from "../logger.ts";
import type { LogEvent } from "./log-event.ts";
import { startDelivery } from "./run-delivery.ts";

const logger = createLogger([]);
const line = (message: string): LogEvent => ({ message, atMs: 0, level: "info", fields: {} });

interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** Resolves when so many lines have come. */
  messages(count: number): Promise<readonly string[]>;
  /** Ends the connections that are open. */
  hangUp(): void;
}

async function startReceiver(port = 0): Promise<Receiver> {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  let came = Promise.withResolvers<void>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    createInterface({ input: socket }).on("line", (text) => {
      got.push((JSON.parse(text) as { msg: string }).msg);
      came.resolve();
      came = Promise.withResolvers<void>();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const hangUp = (): void => sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    async messages(count) {
      while (got.length < count) await came.promise;
      return got;
    },
    hangUp,
    async [Symbol.asyncDispose]() {
      hangUp();
      server.close();
      await once(server, "close");
    },
  };
}

describe("startDelivery()", () => {
  it("sends lines over TCP in order, and connects again after the receiver went", async () => {
    const stop = new AbortController();
    const first = await startReceiver();
    const receiver = `tcp://127.0.0.1:${String(first.port)}`;
    const delivery = startDelivery({ receiver, clock: systemClock, logger, signal: stop.signal });
    for (const text of ["one", "two", "three"]) delivery.push(line(text));
    assert.deepEqual(await first.messages(3), ["one", "two", "three"]);
    await first[Symbol.asyncDispose]();
    await using second = await startReceiver(first.port);
    // The line that finds the connection gone may be lost with it: TCP tells only afterwards.
    const again = setInterval(() => delivery.push(line("again")), 50);
    assert.equal((await second.messages(1))[0], "again");
    clearInterval(again);
    stop.abort();
  });

  it("sends each line in a packet of its own over UDP", async () => {
    const stop = new AbortController();
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const receiver = `udp://127.0.0.1:${String(socket.address().port)}`;
    const delivery = startDelivery({ receiver, tags: { site: "a" }, clock: systemClock, logger, signal: stop.signal });
    delivery.push(line("hello"));
    const [bytes] = (await once(socket, "message")) as [Buffer];
    assert.deepEqual(JSON.parse(bytes.toString()), {
      msg: "hello",
      "talos-time": "1970-01-01T00:00:00.000Z",
      "talos-level": "info",
      site: "a",
    });
    stop.abort();
    socket.close();
  });

  it("keeps a bounded number of lines for a receiver that is away, and tells it how many are lost", async () => {
    const stop = new AbortController();
    const clock = createManualClock();
    const sent: string[] = [];
    const refused = Promise.withResolvers<void>();
    let reachable = false;
    const createSender = () => ({
      async send(text: string) {
        if (!reachable) {
          refused.resolve();
          throw new Error("no route");
        }
        sent.push((JSON.parse(text) as { msg: string }).msg);
      },
      [Symbol.dispose]: () => undefined,
    });
    const delivery = startDelivery({ receiver: "tcp://r:1", clock, logger, signal: stop.signal, createSender });
    for (let index = 0; index < 5000; index += 1) delivery.push(line(`line ${String(index)}`));
    await refused.promise;
    reachable = true;
    // The delivery waits before it tries again, from a moment on that it alone knows.
    while (sent.at(-1) !== "line 4999") {
      await clock.advance(30_000);
      await new Promise(setImmediate);
    }
    assert.equal(sent[0], "904 log lines were dropped because the receiver did not keep up");
    assert.deepEqual([sent[1], sent.length], ["line 904", 4097]);
    stop.abort();
  });
});
