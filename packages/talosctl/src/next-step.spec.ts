import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError, type OsErrorInit } from "@talos-ts/base";
import { nextStep } from "./next-step.ts";

const connect = (code: string): OsErrorInit => ({
  kind: "unavailable",
  code,
  message: "Cannot connect to 10.5.0.2:50000",
});
const status = (kind: OsErrorInit["kind"], remoteCode?: string): OsErrorInit => ({
  kind,
  code: `grpc/${kind}`,
  message: "whatever the server says",
  details: remoteCode === undefined ? {} : { remoteCode },
});

const failures: readonly (readonly [name: string, error: OsErrorInit, next: RegExp])[] = [
  ["the CA is of another cluster", connect("grpc/connect-untrusted"), /talosctl --talosconfig /],
  [
    "a machine is in maintenance mode",
    connect("grpc/connect-untrusted"),
    /^a machine without configuration.* --insecure/,
  ],
  ["a certificate has expired", connect("grpc/connect-expired"), /^talosctl config info$/],
  ["a machine does not trust the client's CA", connect("grpc/connect-untrusted-client"), /^talosctl --talosconfig /],
  ["a machine hung up", connect("grpc/connect-closed"), /^talosctl config info.* has expired/],
  ["another machine answers", connect("grpc/connect-rejected"), /fingerprint on the machine's console/],
  ["no certificate was shown", connect("grpc/connect-refused-client"), /--insecure/],
  ["the endpoint is down", connect("grpc/connect"), /^talosctl config info.*port 50000/],
  ["the endpoint cannot reach the node", status("unavailable", "grpc/connect"), /^talosctl get members/],
  ["the endpoint does not trust the node", status("unavailable", "grpc/connect-untrusted"), /^talosctl get members/],
  ["the endpoint is a worker", status("permission-denied", "apid/no-forwarding"), /^talosctl config endpoint/],
  ["the roles do not suffice", status("permission-denied"), /^talosctl config info \(shows your roles\)/],
  ["the roles do not suffice, with a code", status("permission-denied", "access/denied"), /shows your roles/],
  ["a server in Go lacks the method", status("unimplemented"), /^nothing to change here: the system of the node/],
  [
    "a server lacks the method",
    status("unimplemented", "grpc/unimplemented"),
    /^nothing to change here: the system of the node/,
  ],
];

describe("nextStep()", () => {
  for (const [name, error, next] of failures) {
    it(`has an answer when ${name}`, () => assert.match(nextStep(new OsError(error)) ?? "", next));
  }
  it("does not blame the version for what no version does", () => {
    assert.equal(nextStep(new OsError(status("unimplemented", "machine/no-installer"))), undefined);
  });
  it("does not look at the text of a message", () => {
    const text = "Cannot connect to a: self-signed certificate; no request forwarding; method X not implemented";
    assert.equal(nextStep(new OsError({ kind: "internal", message: text })), undefined);
  });
  it("prefers what the failure itself says", () => {
    const error = new OsError({ kind: "unavailable", message: "x", next: "talosctl health" });
    assert.equal(nextStep(error), "talosctl health");
  });
});
