import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseChallenge } from "./challenge.ts";

describe("parseChallenge()", () => {
  it("reads a bearer challenge with commas in its texts", () => {
    const header = 'Bearer realm="https://auth.test/token?a=b,c",service="reg.test",scope="repository:a:pull,push"';
    assert.deepEqual(parseChallenge(header), {
      scheme: "bearer",
      realm: "https://auth.test/token?a=b,c",
      service: "reg.test",
      scope: "repository:a:pull,push",
    });
  });
  it("takes the first scheme it knows", () => {
    assert.deepEqual(parseChallenge('Negotiate, Basic realm="x"'), { scheme: "basic" });
    assert.equal(parseChallenge('Digest realm="x"'), undefined);
    assert.equal(parseChallenge('Bearer realm="no url"'), undefined);
    assert.equal(parseChallenge(undefined), undefined);
  });
  it("survives any header", () => {
    let state = 7;
    const letters = ["Bearer ", "Basic ", 'realm="', '"', ",", "\\", "=", "http://a", " ", "x", "\0"];
    for (let round = 0; round < 5000; round += 1) {
      const length = (state = (state * 48_271) % 2_147_483_647) % 20;
      const pick = (): string => letters[(state = (state * 48_271) % 2_147_483_647) % letters.length] ?? "";
      const challenge = parseChallenge(Array.from({ length }, pick).join(""));
      if (challenge?.scheme === "bearer") assert.ok(URL.canParse(challenge.realm));
    }
  });
});
