import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { diagnose } from "./diagnosis.ts";

const client = {
  context: "a",
  ca: undefined,
  certificate: undefined,
  others: new Map<string, string>(),
  now: new Date(),
};
const endpoint = { endpoint: "10.5.0.2", host: "10.5.0.2", port: 50_000, http2: false };

describe("diagnose()", () => {
  it("tells a port that is closed from one that nobody answers on, and both from a name without address", () => {
    const code = (tcpError: string): string | undefined => diagnose({ ...endpoint, tcpError }, client)?.code;
    assert.equal(code("ECONNREFUSED"), "doctor/port-closed");
    for (const silent of ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"])
      assert.equal(code(silent), "doctor/port-filtered");
    assert.equal(code("ENOTFOUND"), "doctor/no-such-host");
    assert.match(diagnose({ ...endpoint, tcpError: "ETIMEDOUT" }, client)?.sentence ?? "", /i\/o timeout/);
  });

  it("tells TLS without HTTP/2, and finds nothing wrong with an endpoint that is as it should be", () => {
    assert.equal(diagnose({ ...endpoint, tlsError: "closed" }, client)?.code, "doctor/other-protocol");
    assert.equal(diagnose({ ...endpoint, http2: true }, client), undefined);
  });
});
