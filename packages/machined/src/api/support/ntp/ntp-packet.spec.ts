import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ntpRequest, parseNtpResponse } from "./ntp-packet.ts";
import { ntpAnswer as answerTo } from "./testing.ts";

describe("parseNtpResponse()", () => {
  const request = ntpRequest(7n);
  it("reads the time, also after the seconds have begun anew", () => {
    assert.equal(parseNtpResponse(answerTo(request), 7n).nanoseconds, 1_700_000_000_500_000_000n);
    const later = answerTo(request, (packet) => packet.writeBigUInt64BE(1n << 32n, 40));
    assert.equal(new Date(Number(parseNtpResponse(later, 7n).nanoseconds / 1_000_000n)).getUTCFullYear(), 2036);
  });
  it("believes no answer to another question, and no server that is not in sync", () => {
    assert.throws(() => parseNtpResponse(answerTo(request), 8n), { message: "server response mismatch" });
    const stratum = (value: number) => answerTo(request, (packet) => void (packet[1] = value));
    assert.throws(() => parseNtpResponse(stratum(16), 7n), { message: "invalid stratum in response" });
    assert.throws(() => parseNtpResponse(stratum(0), 7n), /kiss of death/);
    assert.throws(() => parseNtpResponse(Buffer.alloc(3), 7n), { message: "response is too short" });
  });
});
