import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Metadata } from "@talos-ts/grpc";
import { signHeaders } from "./signed-headers.ts";

const now = new Date("2026-01-02T03:04:05.600Z");
const signer = { fingerprint: "ab12", sign: (data: Uint8Array) => Promise.resolve(data.subarray(0, 3)) };

describe("signHeaders()", () => {
  it("covers method, time and routing, and names the identity and its key", async () => {
    const metadata = new Metadata({ nodes: ["10.5.0.2", "10.5.0.3"], runtime: "Talos", other: "not signed" });
    await signHeaders(metadata, "/time.TimeService/Time", { identity: "me@example.org", signer, now });
    assert.equal(metadata.get("x-sidero-timestamp"), "1767323045");
    assert.deepEqual(JSON.parse(metadata.get("x-sidero-payload") ?? ""), {
      method: "/time.TimeService/Time",
      headers: {
        "x-sidero-timestamp": ["1767323045"],
        nodes: ["10.5.0.2", "10.5.0.3"],
        runtime: ["Talos"],
        selectors: null,
        fieldSelectors: null,
        context: null,
        cluster: null,
        namespace: null,
        uid: null,
        authorization: null,
      },
    });
    const signed = Buffer.from('{"h').toString("base64");
    assert.deepEqual(metadata.getAll("x-sidero-signature"), [`siderov1 me@example.org ab12 ${signed}`]);
  });

  it("replaces the signature when a call is made again", async () => {
    const metadata = new Metadata({});
    await signHeaders(metadata, "/a/B", { identity: "me", signer, now });
    await signHeaders(metadata, "/a/B", { identity: "me", signer, now: new Date(now.getTime() + 60_000) });
    assert.deepEqual(metadata.getAll("x-sidero-timestamp"), ["1767323105"]);
    assert.equal(metadata.getAll("x-sidero-signature").length, 1);
  });
});
