import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExtraManifestsConfig, Manifest } from "@talos-ts/machinery/resources/k8s";
import { redactPasswords, redactSpec } from "./redact.ts";

const manifests = { type: Manifest.type, sensitivity: "" } as const;

describe("redactSpec()", () => {
  it("leaves nothing of a sensitive resource, and all of another", () => {
    assert.equal(redactSpec({ type: "A.b.c", sensitivity: "sensitive" }, "token: x\n"), "<REDACTED>\n");
    assert.equal(redactSpec({ type: "A.b.c", sensitivity: "" }, "token: x\n"), "token: x\n");
  });
  it("takes the values out of Secrets among manifests, such as the bootstrap token", () => {
    const secret =
      "- kind: Secret\n  metadata:\n    name: bootstrap-token-abc\n  stringData:\n    token-secret: f9px0qc2\n";
    const text = redactSpec(manifests, `${secret}- kind: ConfigMap\n  data:\n    a: b\n`);
    assert.match(text, /name: bootstrap-token-abc\n\s+stringData:\n\s+token-secret: <REDACTED>\n/);
    assert.match(text, /kind: ConfigMap\n\s+data:\n\s+a: b\n/);
  });
  it("takes Secrets out of inline manifests, and the values of headers that fetch others", () => {
    const inline = "      kind: Secret\n      data:\n        password: c2VjcmV0\n      ---\n      kind: ConfigMap\n";
    const text = redactSpec(
      { type: ExtraManifestsConfig.type, sensitivity: "" },
      `extraManifests:\n  - name: a\n    extraHeaders:\n      Authorization: Bearer abc\n    inlineManifest: |\n${inline}`,
    );
    assert.doesNotMatch(text, /c2VjcmV0|Bearer/);
    assert.match(text, /Authorization: <REDACTED>/);
    assert.match(text, /password: <REDACTED>\n\s+---\n\s+kind: ConfigMap/);
  });
  it("keeps inline manifests without a Secret as they were written", () => {
    const yaml = "extraManifests:\n  - name: a\n    inlineManifest: |\n      kind:   ConfigMap # as it is\n";
    assert.match(
      redactSpec({ type: ExtraManifestsConfig.type, sensitivity: "" }, yaml),
      /kind: {3}ConfigMap # as it is/,
    );
  });
});

describe("redactPasswords()", () => {
  const redact = (text: string): string => redactPasswords(Buffer.from(text)).toString();
  it("takes passwords out of URLs", () => {
    assert.equal(redact("http_proxy=http://me:s3cret@10.0.0.1:3128/"), "http_proxy=http://me:xxxxx@10.0.0.1:3128/");
    assert.equal(redact("a socks5://:only@h b"), "a socks5://:xxxxx@h b");
  });
  it("leaves other URLs and bytes that are no text alone", () => {
    for (const text of ["https://10.0.0.1:6443/a@b", "http://me@host/", "mail a:b@c", "tcp://h:1/?x=a:b@c"])
      assert.equal(redact(text), text);
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    assert.deepEqual(redactPasswords(bytes), bytes);
  });
});
