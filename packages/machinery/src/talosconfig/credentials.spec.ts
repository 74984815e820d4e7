import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRoot, issueLeaf } from "../secrets/index.ts";
import { hour, noon, testEntropy } from "../secrets/testing.ts";
import { contextCertificate, contextCredentials, createTalosconfig, expiryWarning } from "./credentials.ts";
import { contextInfo } from "./info.ts";
import { emptyConfig, emptyContext } from "./model.ts";
import { relativeTime } from "./relative-time.ts";

const { pem: ca } = await createRoot("os", noon, testEntropy());
const client = await issueLeaf(
  "talosconfig",
  ca,
  { roles: ["os:reader", "os:admin"] },
  { now: noon, entropy: testEntropy() },
);
const config = createTalosconfig("demo", ["10.5.0.2"], ca.crt, client);
const context = config.contexts.get("demo") ?? emptyContext;
const daysLater = (days: number): Date => new Date(noon.getTime() + days * 24 * hour);

describe("contextCredentials()", () => {
  it("reads back what createTalosconfig() was given", () => {
    assert.deepEqual(contextCredentials(context, "demo"), { ca: ca.crt, client });
    assert.deepEqual(contextCredentials(emptyContext, "x"), {});
  });
  it("names the field it cannot read", () => {
    assert.throws(() => contextCredentials({ ...context, key: "?" }, "demo"), {
      code: "crypto/bad-pem",
      message: "Value of contexts.demo.key is not base64",
    });
  });
});

describe("contextCertificate()", () => {
  it("says which roles it grants and how long", () => {
    const certificate = contextCertificate(context, "demo", noon);
    assert.deepEqual(certificate?.roles, ["os:admin", "os:reader"]);
    assert.equal(certificate.remainingMs, 365 * 24 * hour);
    assert.equal(contextCertificate(emptyContext, "x", noon), undefined);
  });
  it("refuses what is not a certificate", () => {
    assert.throws(() => contextCertificate({ ...context, crt: "eA==" }, "demo", noon), { code: "crypto/bad-pem" });
  });
});

describe("expiryWarning()", () => {
  const warningAt = (days: number): string | undefined => {
    const certificate = contextCertificate(context, "demo", daysLater(days));
    return certificate && expiryWarning(certificate, "demo");
  };
  it("warns thirty days before the end of a year", () => {
    assert.equal(warningAt(0), undefined);
    assert.equal(warningAt(335), undefined);
    assert.match(warningAt(336) ?? "", /^client certificate of context "demo" expires in 29 days \(2027-06-01\): run /);
    assert.match(warningAt(364) ?? "", /expires in 1 day /);
    assert.match(warningAt(364.5) ?? "", /expires in 12 hours /);
    assert.match(warningAt(366) ?? "", /expired on 2027-06-01/);
    assert.match(warningAt(-1) ?? "", /not valid yet: check the clock/);
  });
  it("tells those who may not issue certificates whom to ask", () => {
    const certificate = contextCertificate(context, "demo", daysLater(364));
    assert.ok(certificate);
    const warning = expiryWarning({ ...certificate, roles: ["os:reader"] }, "demo") ?? "";
    assert.match(warning, /: ask an administrator of the cluster for another$/);
  });
  it("leaves a certificate of a day alone until a tenth is left", async () => {
    const options = { now: noon, entropy: testEntropy(), lifetimeMs: 24 * hour };
    const day = await issueLeaf("talosconfig", ca, { roles: ["os:reader"] }, options);
    const short = createTalosconfig("short", [], ca.crt, day).contexts.get("short") ?? emptyContext;
    const at = (hours: number): string => contextCertificate(short, "short", daysLater(hours / 24))?.stage ?? "";
    assert.deepEqual([at(1), at(21), at(22)], ["valid", "valid", "expiring"]);
  });
});

describe("contextInfo()", () => {
  it("describes the current context", () => {
    assert.deepEqual(contextInfo(config, noon), {
      context: "demo",
      nodes: [],
      endpoints: ["10.5.0.2"],
      roles: ["os:admin", "os:reader"],
      certTTL: "1 year from now",
      certNotAfter: "2027-06-01",
    });
    const next = "talosctl config merge ./talosconfig";
    assert.throws(() => contextInfo(emptyConfig, noon), { message: "no context is set", next });
  });
});

describe("relativeTime()", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "now"],
    [1.5, "1 second from now"],
    [-45, "45 seconds ago"],
    [90, "1 minute from now"],
    [-59 * 60, "59 minutes ago"],
    [3600, "1 hour from now"],
    [86_399, "23 hours from now"],
    [-86_400, "1 day ago"],
    [6 * 86_400, "6 days from now"],
    [8 * 86_400, "1 week from now"],
    [29 * 86_400, "4 weeks from now"],
    [45 * 86_400, "1 month from now"],
    [359 * 86_400, "11 months from now"],
    [365 * 86_400, "1 year from now"],
    [600 * 86_400, "2 years from now"],
    [3650 * 86_400, "10 years from now"],
    [-40 * 366 * 86_400, "a long while ago"],
  ];
  for (const [seconds, text] of cases) {
    it(`says ${text}`, () => assert.equal(relativeTime(new Date(noon.getTime() + seconds * 1000), noon), text));
  }
});
