import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

test("nearest finds the word that was meant, and none when nothing is near", () => {
  const words = ["a-controlplane-1", "a-worker-1", "a-worker-2"];
  assert.equal(nearest("a-woker-2", words), "a-worker-2");
  assert.equal(nearest("A-WORKER-1", words), "a-worker-1");
  assert.equal(nearest("hostnmae", ["hostname", "machine"]), "hostname");
  assert.equal(nearest("nonsense", words), undefined);
  assert.equal(nearest("completely", ["kubelet"]), undefined);
  assert.equal(nearest("", words), undefined);
  assert.equal(nearest("logz", ["logs", "list"]), "logs");
  assert.equal(nearest("image", ["usage"]), undefined);
  assert.equal(nearest("nope", ["kpe"]), undefined);
  assert.equal(nearest("restart", ["reset"]), undefined);
});
