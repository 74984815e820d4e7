import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKernelArguments } from "./kernel-arguments.ts";

test("parseKernelArguments() gives values in order, the last one wins", () => {
  const args = parseKernelArguments("console=tty0 console=ttyS0 quiet ip=10.5.0.2::10.5.0.1 a=b=c\n");
  assert.deepEqual(args.all("console"), ["tty0", "ttyS0"]);
  assert.equal(args.last("console"), "ttyS0");
  assert.equal(args.last("quiet"), "");
  assert.equal(args.last("a"), "b=c");
  assert.equal(args.last("talos.config"), undefined);
});

test("parseKernelArguments() keeps quoted spaces", () => {
  const args = parseKernelArguments('name="two words" "other=one two"');
  assert.equal(args.last("name"), "two words");
  assert.equal(args.last("other"), "one two");
});
