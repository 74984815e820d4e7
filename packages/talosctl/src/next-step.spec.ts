import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError, type OsErrorInit } from "@talos-ts/base";
import { nextStep } from "./next-step.ts";

const connect = (reason: string): OsErrorInit => ({
  kind: "unavailable",
  code: "grpc/connect",
  message: `Cannot connect to 10.5.0.2:50000: ${reason}`,
});

const failures: readonly (readonly [name: string, error: OsErrorInit, next: RegExp])[] = [
  ["the CA is of another cluster", connect("self-signed certificate in certificate chain"), /^talosctl --talosconfig /],
  ["the certificate of the machine has expired", connect("certificate has expired"), /^talosctl config info/],
  ["a machine refused the certificate and said so", connect("tlsv1 alert unknown ca"), /^talosctl --talosconfig /],
  ["a machine hung up on the certificate", connect("the connection closed"), /^talosctl config info.* has expired/],
  [
    "another machine answers",
    connect("leaf peer certificate doesn't match the provided fingerprints: [a]"),
    /fingerprint on the machine's console/,
  ],
  ["no certificate was shown", connect("tlsv13 alert certificate required"), /--insecure/],
  ["the endpoint is down", connect("connect ECONNREFUSED 10.5.0.2:50000"), /^talosctl config info.*port 50000/],
  [
    "the endpoint cannot reach the node",
    {
      kind: "unavailable",
      code: "grpc/unavailable",
      message: "Cannot connect to 10.5.0.9:50000: connect EHOSTUNREACH",
    },
    /^talosctl get members/,
  ],
  [
    "the endpoint is a worker",
    { kind: "permission-denied", message: "no request forwarding" },
    /^talosctl config endpoint/,
  ],
  ["the roles do not suffice", { kind: "permission-denied", message: "not authorized" }, /^talosctl config info/],
  [
    "a service takes no orders",
    { kind: "failed-precondition", message: `service "apid" doesn't support stop operation via API` },
    /^talosctl services/,
  ],
  ...[
    "10.5.0.2: Method /machine.MachineService/Bootstrap is not implemented",
    "unknown method Bootstrap for service machine.MachineService",
    "unknown service machine.LifecycleService",
    "method EtcdRecover not implemented",
  ].map(
    (message) =>
      [
        `the node answers: ${message}`,
        { kind: "unimplemented", message },
        /^talosctl version \(this node's version does not have the method\)$/,
      ] as const,
  ),
];

describe("nextStep()", () => {
  for (const [name, error, next] of failures) {
    it(`has an answer when ${name}`, () => assert.match(nextStep(new OsError(error)) ?? "", next));
  }
  it("does not blame the version for what no version does", () => {
    assert.equal(
      nextStep(new OsError({ kind: "unimplemented", message: "not supported on this platform" })),
      undefined,
    );
  });
  it("prefers what the failure itself says", () => {
    const error = new OsError({ kind: "unavailable", message: "x", next: "talosctl health" });
    assert.equal(nextStep(error), "talosctl health");
  });
});
