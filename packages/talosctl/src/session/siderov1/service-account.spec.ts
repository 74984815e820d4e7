import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { serviceAccountOf } from "./service-account.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

describe("serviceAccountOf()", () => {
  it("reads the first variable that is set", () => {
    const account = encode({ name: "robot", pgp_key: "armored" });
    const other = encode({ name: "other", pgp_key: "armored" });
    const found = { name: "robot", armoredKey: "armored" };
    const both = { SIDERO_SERVICE_ACCOUNT_KEY: account, OMNI_SERVICE_ACCOUNT_KEY: other };
    assert.deepEqual(serviceAccountOf(both), { ...found, variable: "SIDERO_SERVICE_ACCOUNT_KEY" });
    assert.deepEqual(serviceAccountOf({ OMNI_SERVICE_ACCOUNT_KEY: account }), {
      ...found,
      variable: "OMNI_SERVICE_ACCOUNT_KEY",
    });
    assert.equal(serviceAccountOf({}), undefined);
  });

  it("refuses what is no service account", () => {
    for (const value of ["", "not base64 of JSON", encode([]), encode({ name: "robot" })])
      assert.throws(() => serviceAccountOf({ OMNI_SERVICE_ACCOUNT_KEY: value }), {
        code: "cli/bad-service-account",
        next: "unset OMNI_SERVICE_ACCOUNT_KEY",
      });
  });
});
