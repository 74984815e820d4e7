import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { formatReference, parseReference } from "./reference.ts";

const digest = `sha256:${"ab".repeat(32)}`;

describe("parseReference()", () => {
  const complete: Readonly<Record<string, string>> = {
    busybox: "docker.io/library/busybox:latest",
    "busybox:1.36": "docker.io/library/busybox:1.36",
    "coredns/coredns": "docker.io/coredns/coredns:latest",
    "index.docker.io/busybox": "docker.io/library/busybox:latest",
    "docker.io/library/busybox:latest": "docker.io/library/busybox:latest",
    "registry.k8s.io/kube-apiserver:v1.36.4": "registry.k8s.io/kube-apiserver:v1.36.4",
    "localhost/a": "localhost/a:latest",
    "10.5.0.1:5000/a/b__c/d-e:T.1": "10.5.0.1:5000/a/b__c/d-e:T.1",
    "[fd00::1]:5000/a": "[fd00::1]:5000/a:latest",
    [`ghcr.io/siderolabs/flannel@${digest}`]: `ghcr.io/siderolabs/flannel@${digest}`,
    [`ghcr.io/siderolabs/flannel:1@${digest}`]: `ghcr.io/siderolabs/flannel:1@${digest}`,
  };
  for (const [text, expected] of Object.entries(complete)) {
    it(`completes ${text}`, () => assert.equal(formatReference(parseReference(text)), expected));
  }

  const refused = [
    "",
    ":1",
    "a:",
    "a:-b",
    "/a",
    "a//b",
    "A",
    "reg.io/A/b",
    "reg.io/../b",
    "reg.io/a/../../etc/passwd",
    "a@sha256:12",
    `a@md5:${"0".repeat(32)}`,
    "a b",
    "reg_io.x:1/a",
    `r.io/${"a".repeat(256)}`,
    `a:${"t".repeat(129)}`,
    "http://reg.io/a",
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.throws(
        () => parseReference(text),
        (err) => isCode(err, "image/bad-reference"),
      ));
  }

  it("either refuses any text or gives a reference that stays as it is", () => {
    const alphabet = [
      "a",
      "b",
      "Z",
      "0",
      ".",
      "_",
      "-",
      "/",
      ":",
      "@",
      "[",
      "]",
      " ",
      "\0",
      "é",
      "sha256:",
      digest,
      "..",
    ];
    let state = 1;
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    let accepted = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join("");
      try {
        const written = formatReference(parseReference(text));
        assert.equal(formatReference(parseReference(written)), written);
        assert.doesNotMatch(written, /\.\.\/|\0|\s/);
        accepted += 1;
      } catch (err) {
        assert.ok(isCode(err, "image/bad-reference"), String(err));
      }
    }
    assert.ok(accepted > 500, `only ${String(accepted)} accepted: the generator tests nothing`);
  });
});
