import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseImages } from "./choose-images.ts";
import { registryHosts } from "./probe-registries.ts";

const references = ["registry.example/a:v1", "registry.example/b:v1", "other.example/c:v1"];

test("chooseImages pulls when every registry answers, and asks each once", async () => {
  const asked: string[] = [];
  const choice = await chooseImages("auto", references, async (host) => void asked.push(host));
  assert.deepEqual(choice, { mode: "pull", reason: "other.example and registry.example answer" });
  assert.deepEqual(asked, ["other.example", "registry.example"]);
});

test("chooseImages builds when one registry does not answer, and says which", async () => {
  const choice = await chooseImages("auto", references, async (host) =>
    host === "other.example" ? "does not answer in 3 s" : undefined,
  );
  assert.deepEqual(choice, { mode: "build", reason: "other.example does not answer in 3 s" });
});

test("chooseImages asks nobody when a person decided", async () => {
  const probe = async (): Promise<string> => assert.fail("asked");
  for (const mode of ["pull", "build", "none"] as const) {
    assert.equal((await chooseImages(mode, references, probe)).mode, mode);
  }
});

test("registryHosts keeps ports", () => {
  assert.deepEqual(registryHosts(["localhost:5000/a:v1"]), ["localhost:5000"]);
});
