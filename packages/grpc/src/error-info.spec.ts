import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createChannel } from "./channel.ts";
import { createClient } from "./client.ts";
import { packErrorInfo, readErrorInfo } from "./error-info.ts";
import { createServer } from "./server.ts";
import { bytes, Echo } from "./testing/echo.ts";
import { failureOf } from "./testing/pair.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";

const lost = { kind: "not-found", code: "logs/not-found", message: "no such log", next: "talosctl services" } as const;

describe("packErrorInfo()", () => {
  it("carries the code and the next command", () => {
    const info = packErrorInfo(new OsError(lost));
    assert.deepEqual(readErrorInfo(info === undefined ? [] : [info]), { code: lost.code, next: lost.next });
  });
  it("says nothing of an error that knows nothing more", () => {
    assert.equal(packErrorInfo(new OsError({ kind: "internal", message: "x" })), undefined);
    assert.deepEqual(readErrorInfo([]), {});
  });
  it("reaches the caller with the status", async () => {
    await using directory = await temporaryDirectory();
    const unix = `${directory.path}/socket`;
    await using server = createServer().addService(Echo, {
      unary() {
        throw new OsError(lost);
      },
    });
    await server.listen({ unix });
    await using channel = createChannel({ target: `unix://${unix}` });
    const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
    assert.deepEqual([err.kind, err.message, err.next], [lost.kind, lost.message, lost.next]);
    assert.equal(err.details["remoteCode"], lost.code);
  });
});
