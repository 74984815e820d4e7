import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { connectError, joinConnectErrors } from "./connect-error.ts";

const node = (code: string, reason?: string): Error =>
  Object.assign(new Error("as Node.js says it"), { code, ...(reason !== undefined && { reason }) });

describe("connectError()", () => {
  for (const [cause, code] of [
    [node("SELF_SIGNED_CERT_IN_CHAIN"), "grpc/connect-untrusted"],
    [node("CERT_HAS_EXPIRED"), "grpc/connect-expired"],
    [node("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA"), "grpc/connect-untrusted-client"],
    [node("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"), "grpc/connect-refused-client"],
    [node("ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE"), "grpc/connect-refused-client"],
    [node("ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED"), "grpc/connect-expired"],
    [node("ECONNREFUSED"), "grpc/connect"],
    [new Error("no HTTP/2 settings within 5 ms"), "grpc/connect"],
    [new OsError({ kind: "unauthenticated", message: "wrong fingerprint" }), "grpc/connect-rejected"],
    [undefined, "grpc/connect-closed"],
  ] as const) {
    const name = cause === undefined ? "a closed connection" : "code" in cause ? cause.code : cause.message;
    it(`has the code ${code} for ${name}`, () => {
      assert.equal(connectError("10.5.0.2:50000", cause).code, code);
    });
  }
  it("gives OpenSSL's reason alone", () => {
    const { message, cause } = connectError("a:1", node("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "tlsv1 alert unknown ca"));
    assert.deepEqual([message, cause], ["Cannot connect to a:1: tlsv1 alert unknown ca", undefined]);
  });
  it("does not pass on advice of Node.js about its own CAs", () => {
    const cause = new Error("unable to verify the first certificate; try running Node.js with --use-system-ca");
    const { message } = connectError("a:1", Object.assign(cause, { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }));
    assert.match(message, /x509: certificate signed by unknown authority$/);
  });
  it("says when the server closed the connection", () => {
    assert.equal(connectError("a:1", undefined).message, "Cannot connect to a:1: the connection closed");
  });
});

describe("joinConnectErrors()", () => {
  it("keeps the code that names the problem", () => {
    const errors = [connectError("a:1", node("ECONNREFUSED")), connectError("b:1", node("CERT_HAS_EXPIRED"))];
    assert.equal(joinConnectErrors(errors)?.code, "grpc/connect-expired");
    assert.equal(joinConnectErrors([]), undefined);
  });
});
