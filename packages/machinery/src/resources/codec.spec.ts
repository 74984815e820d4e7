import { equals, fromBinary, toBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import { equalSpecs } from "@talos-ts/cosi";
import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resourceTypes } from "./resource-types.ts";
import { randomMessage } from "./testing/random-message.ts";
import { createRandom } from "@talos-ts/base/testing";
import { isRecorded, keysOf, messageOf, registry } from "./testing/spec-messages.ts";

const rounds = 20;

for (const resource of resourceTypes) {
  const message = messageOf(resource.type);
  const keys = keysOf(resource.type);
  const { codec } = resource;

  describe(resource.type, () => {
    test("spec() without arguments takes no bytes and comes back from none", () => {
      assert.equal(codec.encode(resource.spec()).length, 0);
      assert.deepEqual(codec.decode(new Uint8Array(0)), resource.spec());
    });

    if (message !== undefined) roundTrips(message);
    if (keys !== undefined) printsKeys(keys);

    test("decode of any bytes gives a spec or an OsError", () => {
      const random = createRandom(3);
      const sample =
        message === undefined ? new Uint8Array(0) : toBinary(message, randomMessage(message, random, "full"));
      for (let round = 0; round < rounds; round++) {
        const bytes = round % 2 === 0 ? random.bytes(random.below(64)) : sample.slice();
        if (round % 2 === 1) {
          for (let flips = random.below(4); flips >= 0; flips--) {
            if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
          }
        }
        decodeSafely(bytes);
      }
    });
  });

  function roundTrips(message: DescMessage): void {
    test("codec reads and writes the protobuf message field by field", () => {
      const random = createRandom(1);
      for (let round = 0; round < rounds; round++) {
        const original = randomMessage(message, random, round === 0 ? "full" : "sparse");
        const spec = codec.decode(toBinary(message, original));
        const encoded = codec.encode(spec);
        const again: Message = fromBinary(message, encoded);
        assert.ok(equals(message, again, original, { registry, unknown: true }), `round ${round}`);
        assert.ok(equalSpecs(codec.decode(encoded), spec), `round ${round}`);
      }
    });
  }

  function printsKeys(keys: readonly string[]): void {
    test("toPlain prints every key in order", () => {
      const bytes =
        message === undefined ? new Uint8Array(0) : toBinary(message, randomMessage(message, createRandom(2), "full"));
      const plain = codec.toPlain(codec.decode(bytes)) as object;
      assert.deepEqual(Object.keys(plain), keys);
    });
  }

  function decodeSafely(bytes: Uint8Array): void {
    try {
      codec.toPlain(codec.decode(bytes));
    } catch (err) {
      assert.ok(err instanceof OsError, String(err));
      assert.equal(err.code, "resource/malformed-spec");
    }
  }
}

test("few types of Talos v1.13 have no protobuf message or print no fixed keys", () => {
  const without = (find: (type: string) => unknown): string[] =>
    resourceTypes.map(({ type }) => type).filter((type) => isRecorded(type) && find(type) === undefined);
  assert.deepEqual(without(messageOf), [
    "VolumeLifecycles.block.talos.dev",
    "PCRStatuses.hardware.talos.dev",
    "KubeletLifecycles.kubernetes.talos.dev",
    "NodeCordonedSpecs.k8s.talos.dev",
    "DNSUpstreams.net.talos.dev",
    "MachineResetSignals.runtime.talos.dev",
    "MaintenanceServiceRequests.runtime.talos.dev",
    "AcquireConfigSpecs.v1alpha1.talos.dev",
    "AcquireConfigStatuses.v1alpha1.talos.dev",
  ]);
  assert.deepEqual(without(keysOf), [
    "MachineConfigs.config.talos.dev",
    "MachineTypes.config.talos.dev",
    "Manifests.kubernetes.talos.dev",
    "StaticPods.kubernetes.talos.dev",
    "StaticPodStatuses.kubernetes.talos.dev",
  ]);
});
