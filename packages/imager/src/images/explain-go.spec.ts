import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode, OsError } from "@talos-ts/base";
import { explainGo } from "./explain-go.ts";

function explained(stderr: string): OsError {
  const failed = new OsError({ kind: "internal", code: "tool/failed", message: "go failed", details: { stderr } });
  const err = explainGo(failed, "/cache/work");
  assert.ok(err instanceof OsError);
  return err;
}

test("explainGo names the full disk and how to go on", () => {
  const err = explained("go: writing /cache/work/x: no space left on device");
  assert.ok(isCode(err, "image/no-space"));
  assert.equal(err.next, "df -h /cache/work");
});

test("explainGo names the module that the proxy refuses", () => {
  const err = explained(
    "go: k8s.io/kubernetes@v1.99.0: reading https://proxy.example/k8s.io/kubernetes/@v/v1.99.0.zip: 403 Forbidden\n\tserver response: not available",
  );
  assert.ok(isCode(err, "image/module-refused"));
  assert.match(err.message, /k8s\.io\/kubernetes@v1\.99\.0.*403/);
});

test("explainGo names the module whose hash is wrong", () => {
  const err = explained("verifying k8s.io/api@v0.36.4: checksum mismatch\n\tdownloaded: h1:a\n\tgo.sum: h1:b");
  assert.ok(isCode(err, "image/module-hash"));
  assert.match(err.message, /k8s\.io\/api@v0\.36\.4/);
});

test("explainGo says that the proxy does not answer, and leaves other errors alone", () => {
  assert.ok(isCode(explained("dial tcp: lookup proxy.example: no such host"), "image/no-proxy"));
  assert.ok(isCode(explained("pause/main.go:3:1: syntax error"), "tool/failed"));
});
