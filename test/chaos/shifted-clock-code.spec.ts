import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jump, shiftedClockCode } from "./shifted-clock-code.ts";

describe("shiftedClockCode", () => {
  it("enters the kernel by the number of the call, and returns", () => {
    const numbers = { __vdso_clock_gettime: 228, __vdso_gettimeofday: 96, __vdso_time: 201 };
    const code = shiftedClockCode(600);
    assert.deepEqual(Object.keys(code), Object.keys(numbers));
    for (const [name, number] of Object.entries(numbers)) {
      const bytes = code[name] ?? Buffer.alloc(0);
      assert.equal(bytes.readUInt32LE(1), number);
      assert.equal(bytes.toString("hex", 5, 7), "0f05");
      assert.equal(bytes.at(-1), 0xc3);
    }
  });
  it("has the same length and differs in the seconds alone", () => {
    const [ahead, behind] = [shiftedClockCode(600), shiftedClockCode(-600)];
    for (const [name, bytes] of Object.entries(ahead)) {
      const other = behind[name] ?? Buffer.alloc(0);
      assert.equal(bytes.length, other.length);
      assert.equal([...bytes].filter((byte, index) => byte !== other[index]).length, 4);
    }
  });
  it("adds to the result of time(2), and to what the caller gets in memory", () => {
    const instructions = ["b8c9000000", "0f05", "480558020000", "4885ff", "7403", "488907", "c3"];
    assert.equal(shiftedClockCode(600)["__vdso_time"]?.toString("hex"), instructions.join(""));
  });
});

describe("jump", () => {
  it("counts from its own end, in both directions", () => {
    assert.equal(jump(0x100, 0x200).toString("hex"), "e9fb000000");
    assert.equal(jump(0x200, 0x100).toString("hex"), "e9fbfeffff");
  });
});
