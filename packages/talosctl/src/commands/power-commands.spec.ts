import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { parseCertificateDer, publicKeyFingerprint } from "@talos-ts/crypto";
import { ApplyConfigurationRequest_Mode as Mode } from "@talos-ts/proto/machine/config";
import { MachineStatusEventSchema, PhaseEventSchema, SequenceEventSchema } from "@talos-ts/proto/machine/event";
import { connect } from "node:tls";
import { answersOf, startFakeNode } from "../testing/fake-node.ts";

function event<D extends DescMessage>(
  schema: D,
  init: MessageInitShape<D>,
): { data: { typeUrl: string; value: Uint8Array } } {
  const { typeUrl, value } = anyPack(schema, create(schema, init));
  return { data: { typeUrl, value } };
}

describe("reboot", () => {
  it("tells the phases until the node is ready again", async () => {
    let connections = 0;
    await using node = await startFakeNode({
      machine: {
        reboot: (_request, context) => ({ messages: answersOf(context, () => ({ actorId: "actor" })) }),
        async *events({ withActorId, tailId }) {
          connections += 1;
          yield { id: "cid0", data: {} };
          if (connections === 1) {
            assert.equal(withActorId, "actor");
            yield { id: "cid1", ...event(PhaseEventSchema, { phase: "cleanup", action: 0 }) };
            throw new OsError({ kind: "unavailable", message: "gone" });
          }
          assert.equal(tailId, "cid1");
          yield event(MachineStatusEventSchema, { stage: 1, status: { ready: false } });
          yield event(MachineStatusEventSchema, { stage: 4, status: { ready: true } });
        },
      },
    });
    const { out, err, code } = await node.run("reboot", "-n", "a");
    assert.equal(err, "a: phase cleanup\na: is down\na: is ready\n");
    assert.deepEqual([out, code], ["", 0]);
    assert.deepEqual(await node.run("reboot", "-n", "a", "--wait=false"), { out: "", err: "", code: 0 });
  });
  it("fails when the sequence does", async () => {
    await using node = await startFakeNode({
      machine: {
        shutdown: (_request, context) => ({ messages: answersOf(context, () => ({ actorId: "actor" })) }),
        async *events() {
          yield event(SequenceEventSchema, { sequence: "shutdown", error: { message: "locked" } });
        },
      },
    });
    const { err, code } = await node.run("shutdown", "-n", "a");
    assert.deepEqual([err, code], ["locked\n", 1]);
  });
});

describe("reset", () => {
  it("waits for a machine that starts again until it answers", async () => {
    let answered = 0;
    await using node = await startFakeNode({
      machine: {
        reset: (_request, context) => ({ messages: answersOf(context, () => ({ actorId: "actor" })) }),
        async *events() {
          yield event(PhaseEventSchema, { phase: "reset", action: 0 });
          throw new OsError({ kind: "unavailable", message: "gone" });
        },
        version(_request, context) {
          answered += 1;
          if (answered === 1) throw new OsError({ kind: "unavailable", message: "still down" });
          return { messages: answersOf(context, () => ({})) };
        },
      },
    });
    const { out, err, code } = await node.run("reset", "-n", "a", "--reboot");
    assert.deepEqual([out, err, code], ["", "a: phase reset\na: is down\na: is back\n", 0]);
    assert.equal((await node.run("reset", "-n", "a")).err, "a: phase reset\na: is down\n");
  });
  it("says that a machine is down when its kernel no longer refuses connections", async () => {
    const refused = "Cannot connect to 10.5.0.3:50000: connect ECONNREFUSED 10.5.0.3:50000";
    const answers = [refused, "Cannot connect to 10.5.0.3:50000: connect EHOSTUNREACH 10.5.0.3:50000"];
    await using node = await startFakeNode({
      machine: {
        reset: (_request, context) => ({ messages: answersOf(context, () => ({ actorId: "actor" })) }),
        async *events() {
          yield event(PhaseEventSchema, { phase: "reset", action: 0 });
          throw new OsError({ kind: "unavailable", message: "gone" });
        },
        version() {
          throw new OsError({ kind: "unavailable", message: answers.shift() ?? "asked too often" });
        },
      },
    });
    const { err, code } = await node.run("reset", "-n", "a");
    assert.deepEqual([err, code], ["a: phase reset\na: has stopped its API\na: is down\n", 0]);
    assert.deepEqual(answers, []);
  });
});

describe("apply-config", () => {
  it("sends a patched file and tells what the node did", async () => {
    const requests: { data: string; mode: Mode }[] = [];
    await using node = await startFakeNode({
      anonymous: true,
      machine: {
        applyConfiguration: ({ data, mode }, context) => {
          requests.push({ data: new TextDecoder().decode(data), mode });
          const details = { modeDetails: "Applied configuration without a reboot", warnings: ["old field"] };
          return { messages: answersOf(context, () => details) };
        },
      },
    });
    const file = join(node.folder, "machine.yaml");
    await writeFile(file, "# mine\nversion: v1alpha1\nmachine:\n    type: worker\n");
    const patch = '{"machine": {"sysctls": {"a": "1"}}}';
    const { out, err, code } = await node.run("apply-config", "-n", "a", "-f", file, "-p", patch, "-m", "no-reboot");
    assert.deepEqual([out, code], ["", 0]);
    assert.equal(err, "WARNING: old field\nApplied configuration without a reboot\n");
    assert.equal(requests[0]?.mode, Mode.NO_REBOOT);
    assert.match(requests[0].data, /^# mine\nversion: v1alpha1\n[^]*sysctls:\n +a: "1"\n/);
  });

  it("--insecure takes any machine, or only one with the given fingerprint", async () => {
    await using node = await startFakeNode({
      anonymous: true,
      machine: { applyConfiguration: (_request, context) => ({ messages: answersOf(context, () => ({})) }) },
    });
    const file = join(node.folder, "machine.yaml");
    await writeFile(file, "version: v1alpha1\n");
    const apply = ["apply-config", "-i", "-n", node.address, "-f", file];
    assert.equal((await node.run(...apply)).code, 0);
    assert.equal((await node.run(...apply, "--cert-fingerprint", await fingerprintOf(node.address))).code, 0);
    const refused = await node.run(...apply, "--cert-fingerprint", "AAAA");
    assert.match(refused.err, /leaf peer certificate doesn't match the provided fingerprints: \[AAAA\]/);
    assert.equal(refused.code, 1);
  });
});

async function fingerprintOf(address: string): Promise<string> {
  const [host = "", port] = address.split(":");
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ["h2"] }, () => {
    resolve(socket.getPeerCertificate().raw);
    socket.destroy();
  });
  socket.once("error", reject);
  return publicKeyFingerprint(parseCertificateDer(await promise));
}
