import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { freePort, startUpstream, type TestUpstream } from "../testing/tcp-upstream.ts";
import { createBalancer, type Balancer } from "./balancer.ts";
import { probeTcp } from "./probe-tcp.ts";
import type { UpstreamState } from "./upstream-health.ts";

const host = "127.0.0.1";

/** Lets probes that were just started report. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

interface Setup extends AsyncDisposable {
  readonly balancer: Balancer;
  readonly states: Map<number, UpstreamState>;
  /** Lets one probe of every upstream pass. */
  probe(): Promise<void>;
}

async function setUp(...upstreams: readonly TestUpstream[]): Promise<Setup> {
  const clock = createManualClock();
  const states = new Map<number, UpstreamState>(upstreams.map(({ port }) => [port, "ready"]));
  const balancer = await createBalancer({
    host,
    port: 0,
    clock,
    probe: async ({ port }) => states.get(port) ?? "unreachable",
    intervalMs: 1000,
    retryMs: 1000,
    timeoutMs: 500,
  });
  balancer.follow(upstreams.map(({ port }) => ({ host, port })));
  await settle();
  return {
    balancer,
    states,
    async probe() {
      await clock.advance(1000);
      await settle();
    },
    [Symbol.asyncDispose]: () => balancer[Symbol.asyncDispose](),
  };
}

/** Connects and gives the greeting of the upstream it reached. */
async function greeting({ port }: Balancer): Promise<{ readonly text: string; readonly socket: Socket }> {
  const socket = connect({ host, port });
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return { text: chunk.toString(), socket };
}

const greeter = (name: string): Promise<TestUpstream> =>
  startUpstream((socket) => void socket.on("error", () => undefined).write(name));

describe("createBalancer", () => {
  it("takes healthy upstreams in turn, and those that are not ready last", async () => {
    await using a = await greeter("a");
    await using b = await greeter("b");
    await using setup = await setUp(a, b);
    const seen = new Set<string>();
    for (let index = 0; index < 2; index += 1) {
      const { text, socket } = await greeting(setup.balancer);
      seen.add(text);
      socket.destroy();
    }
    assert.deepEqual([...seen].toSorted(), ["a", "b"]);
    setup.states.set(a.port, "not-ready");
    await setup.probe();
    for (let index = 0; index < 3; index += 1) {
      const { text, socket } = await greeting(setup.balancer);
      assert.equal(text, "b");
      socket.destroy();
    }
    setup.states.set(b.port, "not-ready");
    await setup.probe();
    assert.equal(setup.balancer.anyHealthy, false);
    const { socket } = await greeting(setup.balancer);
    socket.destroy();
  });

  it("resets connections to an upstream that stops answering, and keeps those to one that is only not ready", async () => {
    await using a = await greeter("a");
    await using setup = await setUp(a);
    const { socket } = await greeting(setup.balancer);
    setup.states.set(a.port, "not-ready");
    await setup.probe();
    assert.equal(socket.destroyed, false);
    const reset = once(socket, "error");
    setup.states.set(a.port, "unreachable");
    await setup.probe();
    const [error] = (await reset) as [NodeJS.ErrnoException];
    assert.equal(error.code, "ECONNRESET");
  });

  it("resets connections to an upstream that is no longer followed", async () => {
    await using a = await greeter("a");
    await using setup = await setUp(a);
    const { socket } = await greeting(setup.balancer);
    const reset = once(socket, "error");
    setup.balancer.follow([]);
    await reset;
  });
});

describe("probeTcp", () => {
  it("is ready where something listens, and unreachable where nothing does or the time is over", async () => {
    await using a = await greeter("a");
    const signal = new AbortController().signal;
    assert.equal(await probeTcp({ host, port: a.port }, signal), "ready");
    assert.equal(await probeTcp({ host, port: await freePort() }, signal), "unreachable");
    assert.equal(await probeTcp({ host, port: a.port }, AbortSignal.abort()), "unreachable");
  });
});
