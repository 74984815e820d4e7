import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { sampleElf } from "../testing/elf-sample.ts";
import { readElf } from "./elf.ts";

test("readElf reads the running Node.js", async () => {
  const facts = readElf(await readFile(process.execPath), "node");
  assert.match(facts.interpreter ?? "", /\/ld-linux/);
  assert.ok(facts.needed.includes("libc.so.6"));
});

test("readElf reads a linker and libraries, or their absence", () => {
  assert.deepEqual(readElf(sampleElf("/lib64/ld.so", ["liba.so", "libb.so.1"]), "x"), {
    interpreter: "/lib64/ld.so",
    needed: ["liba.so", "libb.so.1"],
  });
  assert.deepEqual(readElf(sampleElf(undefined, []), "x"), { interpreter: undefined, needed: [] });
});

test("readElf answers damaged files with image/bad-elf and nothing else", () => {
  const whole = sampleElf("/lib64/ld.so", ["liba.so"]);
  for (let at = 0; at < whole.length; at += 1) {
    for (const value of [0x00, 0x7f, 0xff]) {
      const damaged = Buffer.from(whole);
      damaged[at] = value;
      for (const file of [damaged, damaged.subarray(0, at)]) {
        try {
          readElf(file, "damaged");
        } catch (err) {
          assert.ok(isCode(err, "image/bad-elf"), String(err));
        }
      }
    }
  }
});
