import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ntpRequest, parseNtpResponse } from "./ntp-packet.ts";
import { ntpAnswer as answerTo } from "./testing.ts";

describe("parseNtpResponse()", () => {
  const request = ntpRequest(7n);
  const changed = (change: (packet: Buffer) => void) => () => parseNtpResponse(answerTo(request, change), 7n);

  it("reads times, leap second and distance, also after the seconds have begun anew", () => {
    const answer = parseNtpResponse(
      answerTo(request, (packet) => {
        packet[0] = 0x64;
        packet.writeUInt32BE(0x0000_8000, 4);
        packet.writeUInt32BE(0x0001_0000, 8);
      }),
      7n,
    );
    assert.deepEqual(answer, {
      received: 1_700_000_000_500_000_000n,
      transmitted: 1_700_000_000_500_000_000n,
      leap: "insert",
      stratum: 2,
      rootDistance: 1_250_000_000n,
    });
    const later = changed((packet) => packet.writeBigUInt64BE(1n << 32n, 40))();
    assert.equal(new Date(Number(later.transmitted / 1_000_000n)).getUTCFullYear(), 2036);
  });

  it("believes no answer to another question, and no server that is not in sync", () => {
    assert.throws(() => parseNtpResponse(answerTo(request), 8n), { message: "server response mismatch" });
    assert.throws(() => parseNtpResponse(Buffer.alloc(3), 7n), { message: "response is too short" });
  });

  for (const [name, change, message] of [
    ["a server that is not in sync", (packet) => void (packet[1] = 16), "invalid stratum in response"],
    ["an unknown leap", (packet) => void (packet[0] = 0xe4), "invalid leap second in response"],
    ["another mode", (packet) => void (packet[0] = 0x23), "invalid mode in response"],
    ["no time", (packet) => packet.writeBigUInt64BE(0n, 40), "invalid transmit time in response"],
    ["an answer before the question", (packet) => packet.writeInt8(-1, 32), "invalid receive time in response"],
    ["a reference from the future", (packet) => packet.writeInt8(-1, 16), "invalid reference time in response"],
    ["a server far from its reference", (packet) => packet.writeUInt16BE(6, 8), "invalid dispersion in response"],
  ] as const satisfies readonly (readonly [string, (packet: Buffer) => void, string])[]) {
    it(`refuses ${name}`, () => assert.throws(changed(change), { code: "time/bad-response", message }));
  }

  it("tells the code of a kiss of death", () => {
    const kiss = changed((packet) => {
      packet[1] = 0;
      packet.write("RATE", 12);
    });
    assert.throws(kiss, { code: "time/kiss-of-death", message: "kiss of death received: RATE" });
  });
});
