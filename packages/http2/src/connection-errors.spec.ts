import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorCodes, flags, frameTypes } from "./constants.ts";
import { block, frame, request, requestFields, settings, uint32 } from "./testing/frames.ts";
import { goawayCode, greetedServer } from "./testing/recorder.ts";

describe("Http2Connection, peers that break the protocol", () => {
  const violations: Readonly<Record<string, readonly [bytes: Buffer, code: number]>> = {
    "DATA on an idle stream": [frame(frameTypes.data, 0, 1, Buffer.alloc(1)), errorCodes.protocolError],
    "a frame inside a header block": [
      Buffer.concat([frame(frameTypes.headers, 0, 1, block(requestFields)), settings]),
      errorCodes.protocolError,
    ],
    "a frame larger than allowed": [frame(frameTypes.data, 0, 1, Buffer.alloc(16_385)), errorCodes.frameSizeError],
    "an even stream number": [request(2), errorCodes.protocolError],
    "a stream number lower than before": [Buffer.concat([request(5), request(3)]), errorCodes.protocolError],
    "a bad header block": [
      frame(frameTypes.headers, flags.endHeaders, 1, Buffer.from([0x80])),
      errorCodes.compressionError,
    ],
    "PUSH_PROMISE from a client": [frame(frameTypes.pushPromise, 4, 1, Buffer.alloc(8)), errorCodes.protocolError],
    "padding longer than the frame": [
      Buffer.concat([request(1), frame(frameTypes.data, flags.padded, 1, Buffer.from([9, 1]))]),
      errorCodes.protocolError,
    ],
    "a window of the connection that overflows": [
      frame(frameTypes.windowUpdate, 0, 0, uint32(0x7fff_ffff)),
      errorCodes.flowControlError,
    ],
    "a zero window update of the connection": [
      frame(frameTypes.windowUpdate, 0, 0, uint32(0)),
      errorCodes.protocolError,
    ],
    "SETTINGS of a wrong length": [frame(frameTypes.settings, 0, 0, Buffer.alloc(5)), errorCodes.frameSizeError],
    "PING of a wrong length": [frame(frameTypes.ping, 0, 0, Buffer.alloc(5)), errorCodes.frameSizeError],
    "an initial window out of range": [
      frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0x80, 0, 0, 0])),
      errorCodes.flowControlError,
    ],
    "more data than the connection's window": [
      Buffer.concat([
        ...Array.from({ length: 600 }, (_, index) => request(2 * index + 1)),
        ...Array.from({ length: 600 }, (_, index) => frame(frameTypes.data, 0, 2 * index + 1, Buffer.alloc(16_384))),
      ]),
      errorCodes.flowControlError,
    ],
  };
  for (const [what, [bytes, code]] of Object.entries(violations)) {
    it(`ends the connection for ${what}`, () => {
      const server = greetedServer({ paused: true, limits: { maxBufferedBytes: 0 } });
      server.connection.receive(bytes);
      assert.equal(goawayCode(server), code);
      assert.equal(server.events.at(-1), "over");
      server.connection.receive(request(99));
      assert.equal(server.events.at(-1), "over");
    });
  }

  const malformed: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    "an upper-case name": [...requestFields, ["X-Upper", "x"]],
    "a field of the connection": [...requestFields, ["connection", "close"]],
    "te other than trailers": [...requestFields, ["te", "gzip"]],
    "a pseudo-header field after others": [["x", "y"], ...requestFields],
    "an unknown pseudo-header field": [...requestFields, [":proto", "x"]],
    "a pseudo-header field of responses": [...requestFields, [":status", "200"]],
    "no path": requestFields.filter(([name]) => name !== ":path"),
    "an empty path": requestFields.map(([name, value]) => [name, name === ":path" ? "" : value] as const),
    "a method twice": [...requestFields, [":method", "GET"]],
    "a line break in a value": [...requestFields, ["x", "a\r\nb"]],
    "a content-length that is no number": [...requestFields, ["content-length", "many"]],
  };
  for (const [what, fields] of Object.entries(malformed)) {
    it(`resets a stream whose request has ${what}`, () => {
      const server = greetedServer();
      server.connection.receive(Buffer.concat([request(1, true, fields), request(3, true)]));
      const [reset] = server.sent();
      assert.deepEqual([reset?.type, reset?.payload.readUInt32BE(0)], [frameTypes.rstStream, errorCodes.protocolError]);
      assert.ok(server.events[0]?.startsWith("3 request"));
    });
  }

  it("resets a stream whose content has another length than announced", () => {
    const server = greetedServer();
    const fields = [...requestFields, ["content-length", "3"]] as const;
    server.connection.receive(
      Buffer.concat([request(1, false, fields), frame(frameTypes.data, flags.endStream, 1, Buffer.alloc(2))]),
    );
    assert.equal(server.events.at(-1), `1 close ${String(errorCodes.protocolError)}`);
  });
});
