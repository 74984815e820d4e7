import assert from "node:assert/strict";
import { test } from "node:test";
import { capabilitiesOf } from "./capabilities.ts";
import { nameserversOf, openFilesOf, readHostFacts } from "./host-facts.ts";

test("capabilitiesOf names the bits of a mask and ignores bits without a name", () => {
  assert.deepEqual(capabilitiesOf("0000000000000001"), ["CAP_CHOWN"]);
  assert.equal(capabilitiesOf("000001ffffffffff").length, 41);
  assert.ok(!capabilitiesOf("000001fffeffffff").includes("CAP_SYS_RESOURCE"));
  assert.equal(capabilitiesOf("ffffffffffffffff").at(-1), "CAP_CHECKPOINT_RESTORE");
});

test("nameserversOf leaves out resolvers on the loopback", () => {
  const text =
    "search x\nnameserver 127.0.0.53\nnameserver 10.0.0.1\nnameserver ::1\nnameserver fd00::1\nnameserver x\n";
  assert.deepEqual(nameserversOf(text), ["10.0.0.1", "fd00::1"]);
});

test("openFilesOf reads the hard limit", () => {
  assert.equal(openFilesOf("Max open files            1024                 524288               files\n"), 524_288);
  assert.equal(openFilesOf("Max open files            1024                 unlimited            files\n"), 1_048_576);
});

test("readHostFacts reads this machine", async () => {
  const facts = await readHostFacts();
  assert.ok(facts.openFiles > 0);
  for (const device of facts.devices) assert.ok(device.major > 0, device.path);
});
