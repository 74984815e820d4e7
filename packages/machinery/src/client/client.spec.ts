import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { MetadataSchema } from "@talos-ts/proto/common/common";
import { callMetadata } from "./call-metadata.ts";
import { endpointHost, endpointTarget } from "./endpoint.ts";
import { filterMessages, joinErrors } from "./filter-messages.ts";

describe("endpointTarget()", () => {
  it("adds the port of the API unless the endpoint has one or is a URL", () => {
    const targets = {
      "10.5.0.2": "10.5.0.2:50000",
      "10.5.0.2:50001": "10.5.0.2:50001",
      "cp.example.org": "cp.example.org:50000",
      "fd00::2": "[fd00::2]:50000",
      "[fd00::2]": "[fd00::2]:50000",
      "[fd00::2]:443": "[fd00::2]:443",
      "https://omni.example.org": "omni.example.org:443",
      "https://omni.example.org/path": "omni.example.org:443",
      "https://[fd00::2]:8443": "[fd00::2]:8443",
      "grpc://cp": "cp:50000",
      "unix:///run/s": "unix:///run/s",
    };
    for (const [endpoint, target] of Object.entries(targets)) assert.equal(endpointTarget(endpoint), target);
  });
  it("refuses what is no endpoint", () => {
    for (const text of ["", "a b:c", "host:port", "https://"]) {
      assert.throws(() => endpointTarget(text), { code: "client/bad-endpoint" });
    }
  });
});

describe("endpointHost()", () => {
  it("leaves out port and brackets", () => {
    assert.equal(endpointHost("[fd00::2]:50000"), "fd00::2");
    assert.equal(endpointHost("https://omni.example.org"), "omni.example.org");
  });
});

describe("callMetadata()", () => {
  it("names nodes, one node, or nobody", () => {
    assert.deepEqual(callMetadata({ nodes: ["a", "b"] }), { runtime: "Talos", nodes: ["a", "b"] });
    assert.deepEqual(callMetadata({ node: "a" }, "demo"), { runtime: "Talos", node: "a", context: "demo" });
    assert.deepEqual(callMetadata(undefined, ""), { runtime: "Talos" });
    assert.deepEqual(callMetadata({ node: "a" }, undefined, true), {
      runtime: "Talos",
      node: "a",
      "talos-fresh-connection": "true",
    });
  });
});

describe("filterMessages()", () => {
  const message = (hostname: string, error = "", code = 0, text = ""): { metadata: ReturnType<typeof metadata> } => ({
    metadata: metadata(hostname, error, code, text),
  });
  const metadata = (hostname: string, error: string, code: number, text: string) =>
    create(MetadataSchema, { hostname, error, ...(code !== 0 && { status: { code, message: text } }) });

  it("tells failures of nodes from their answers", () => {
    const { messages, errors } = filterMessages({
      messages: [message("a"), message("b", "rpc error: code = Unavailable desc = gone", 14, "gone"), {}],
    });
    assert.equal(messages.length, 2);
    assert.deepEqual(
      errors.map(({ kind, message: text }) => [kind, text]),
      [["unavailable", "b: gone"]],
    );
  });
  it("keeps the text of a failure without a status", () => {
    const { errors } = filterMessages({ messages: [message("b", "boom")] });
    assert.equal(errors[0]?.message, "b: boom");
    assert.equal(errors[0]?.kind, "unknown");
  });
  it("joins several failures to one line", () => {
    const { errors } = filterMessages({ messages: [message("a", "x", 7, "no"), message("b", "y", 7, "no")] });
    const { kind, message: text } = joinErrors(errors);
    assert.deepEqual([kind, text], ["permission-denied", "a: no; b: no"]);
  });
  it("keeps the advice of a failure, whichever came first", () => {
    const failures = [
      new OsError({ kind: "unavailable", message: "a" }),
      new OsError({ kind: "unavailable", message: "b", next: "talosctl health" }),
    ];
    for (const errors of [failures, failures.toReversed()]) assert.equal(joinErrors(errors).next, "talosctl health");
  });
});
