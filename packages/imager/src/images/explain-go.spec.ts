import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode, OsError } from "@talos-ts/base";
import { explainCompile, explainGo } from "./explain-go.ts";

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

test("explainCompile shows what the compiler said between the packages that it named", () => {
  const failed = new OsError({ kind: "internal", code: "tool/failed", message: "time/tzdata | k8s.io/a/b-c" });
  const lines = ["k8s.io/a", "# k8s.io/b", "b/b.go:7:2: undefined: x", "", "k8s.io/a/b-c", "time/tzdata"];
  const err = explainCompile(failed, "kubernetes", lines);
  assert.ok(err instanceof OsError && isCode(err, "image/compile"));
  assert.equal(err.message, "Cannot build kubernetes: # k8s.io/b\nb/b.go:7:2: undefined: x");
  assert.match(err.next ?? "", /--kubernetes-version/);
  assert.equal(explainCompile(failed, "kubernetes", ["k8s.io/a"]), failed, "nothing to show");
});
