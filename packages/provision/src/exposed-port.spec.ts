import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseExposedPort } from "./exposed-port.ts";

describe("parseExposedPort()", () => {
  it("reads ports and protocol", () => {
    assert.deepEqual(parseExposedPort("8080:80/tcp"), { hostPort: 8080, nodePort: 80, protocol: "tcp" });
    assert.deepEqual(parseExposedPort("53:5353/udp"), { hostPort: 53, nodePort: 5353, protocol: "udp" });
    assert.deepEqual(parseExposedPort("8080:80"), { hostPort: 8080, nodePort: 80, protocol: "tcp" });
  });
  for (const text of ["8080", "0:80/tcp", "8080:65536/tcp", "8080:80/sctp", "a:80"]) {
    it(`refuses "${text}"`, () => assert.throws(() => parseExposedPort(text), { code: "provision/bad-port" }));
  }
});
