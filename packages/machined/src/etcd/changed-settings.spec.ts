import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import {
  createInMemoryState,
  createNamespacedState,
  createResource,
  updateTyped,
  wrapCore,
  type Logger,
} from "@talos-ts/cosi";
import { EtcdSpec, type EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { registerResources } from "../register-resources.ts";
import { changedSettings } from "./changed-settings.ts";

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const spec = EtcdSpec.spec({
  name: "cp-1",
  image: "registry.k8s.io/etcd:v3.6.16",
  advertisedAddresses: ["10.5.0.2"],
  listenPeerAddresses: ["0.0.0.0"],
  listenClientAddresses: ["0.0.0.0"],
});

async function setUp() {
  const state = wrapCore(createNamespacedState(() => createInMemoryState()));
  await registerResources(state);
  await state.create(createResource(EtcdSpec, EtcdSpec.id, spec));
  const errors: string[] = [];
  const ignore = (): void => undefined;
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (line) => void errors.push(line),
    with: () => logger,
  };
  const clock = createManualClock();
  const seen: EtcdSpecSpec[] = [];
  const end = new AbortController();
  const following = changedSettings({ state, clock, logger }, spec, end.signal).then(
    (changed) => void seen.push(changed),
    () => undefined,
  );
  await settle();
  return {
    seen,
    errors,
    clock,
    async change(fields: Partial<EtcdSpecSpec>) {
      await updateTyped(state, EtcdSpec, EtcdSpec.id, () => ({ ...spec, ...fields }));
      await settle();
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await following;
    },
  };
}

describe("changedSettings()", () => {
  it("tells settings that lead to another command line, once they stay", async () => {
    await using test = await setUp();
    await test.change({ extraArgs: { "heartbeat-interval": { values: ["200"] } } });
    await test.clock.advance(1000);
    await test.change({ extraArgs: { "heartbeat-interval": { values: ["300"] } } });
    await test.clock.advance(2500);
    await settle();
    assert.equal(test.seen.length, 0);
    await test.clock.advance(3000);
    await settle();
    assert.deepEqual(test.seen.at(0)?.extraArgs, { "heartbeat-interval": { values: ["300"] } });
  });
  it("leaves etcd alone when an argument is refused, and says so", async () => {
    await using test = await setUp();
    await test.change({ extraArgs: { "data-dir": { values: ["/tmp"] } } });
    await test.clock.advance(10_000);
    await settle();
    assert.deepEqual(test.seen, []);
    assert.equal(test.errors.length, 1);
    assert.match(test.errors[0] ?? "", /^etcd is not restarted: .*data-dir/);
  });
});
