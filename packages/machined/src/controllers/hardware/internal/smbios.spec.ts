import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { describe, it } from "node:test";
import { smbiosStructure } from "../testing/smbios-table.ts";
import { numberAt, parseSmbios, stringAt, uuidAt } from "./smbios.ts";

const end = smbiosStructure(127, [0, 0], []);

describe("parseSmbios()", () => {
  it("finds structures with and without strings, up to the end of the table", () => {
    const uuid = Buffer.from("00112233445566778899aabbccddeeff", "hex");
    const table = Buffer.concat([
      smbiosStructure(1, [2, 1, 0, ...uuid], ["pc ", "maker"]),
      smbiosStructure(32, [9], []),
      end,
      smbiosStructure(4, [1], ["past the end"]),
    ]);
    const [system, boot, ...rest] = parseSmbios(table);
    assert.ok(system !== undefined && boot !== undefined);
    assert.deepEqual(rest, []);
    assert.deepEqual([stringAt(system, 4), stringAt(system, 5), stringAt(system, 6)], ["maker", "pc", ""]);
    assert.equal(uuidAt(system, 7), "33221100-5544-7766-8899-aabbccddeeff");
    assert.deepEqual([numberAt(boot, 4, 1), numberAt(boot, 5, 2), uuidAt(boot, 4)], [9, 0, ""]);
  });
  it("ends with any bytes, and never fails", () => {
    const table = Buffer.concat([smbiosStructure(1, [1, 2], ["a", "b"]), smbiosStructure(4, [], ["c"]), end]);
    for (let round = 0; round < 500; round++) {
      const damaged = Buffer.concat([table.subarray(0, randomInt(table.length)), randomBytes(randomInt(40))]);
      if (damaged.length > 0) damaged.writeUInt8(randomInt(256), randomInt(damaged.length));
      for (const each of parseSmbios(damaged)) stringAt(each, 4);
    }
  });
});
