import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  readBoolean,
  readDer,
  readNamedBits,
  readOid,
  readSingle,
  readString,
  readTime,
  readUnsignedInteger,
  type DerElement,
} from "./der-read.ts";
import {
  directoryString,
  element,
  integer,
  namedBits,
  oid,
  sequence,
  setOf,
  time,
  unsignedInteger,
} from "./der-write.ts";

const only = (bytes: Buffer): DerElement => readDer(bytes).next();
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("der-write", () => {
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ["integer() pads a leading one bit", integer(128n), "02020080"],
    ["integer() writes zero as one byte", integer(0n), "020100"],
    ["unsignedInteger() drops leading zeros", unsignedInteger(hex("0000ff01")), "020300ff01"],
    ["oid() writes arcs in base 128", oid("1.2.840.113549.1.1.11"), "06092a864886f70d01010b"],
    ["namedBits() drops trailing zeros", namedBits([0, 5]), "03020284"],
    ["namedBits() without bits", namedBits([]), "030100"],
    ["setOf() sorts its elements", setOf(integer(2n), integer(1n)), "3106020101020102"],
    ["directoryString() is printable where it can be", directoryString("os:admin"), "13086f733a61646d696e"],
    ["directoryString() is UTF-8 otherwise", directoryString("a*"), "0c02612a"],
    ["time() before 2050", time(new Date("2049-12-31T23:59:59Z")), "170d3439313233313233353935395a"],
    ["time() from 2050", time(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
    ["element() writes long lengths", element(0x04, Buffer.alloc(200)).subarray(0, 3), "0481c8"],
  ];
  for (const [name, actual, expected] of cases) it(name, () => assert.equal(actual.toString("hex"), expected));
});

describe("der-read", () => {
  it("reads back what was written", () => {
    assert.equal(readUnsignedInteger(only(integer(2n ** 127n))), 2n ** 127n);
    for (const id of ["2.5.29.17", "1.3.101.112", "2.999.1", "0.9.2342"]) assert.equal(readOid(only(oid(id))), id);
    assert.deepEqual(readNamedBits(only(namedBits([2, 8]))), [2, 8]);
    assert.equal(readString(only(directoryString("straße"))), "straße");
    assert.equal(readString(only(hex("1e0400610062"))), "ab");
    const moment = new Date("2071-02-28T23:00:01Z");
    assert.deepEqual(readTime(only(time(moment))), moment);
    assert.deepEqual(readTime(only(hex("170d3530303130313030303030305a"))), new Date("1950-01-01T00:00:00Z"));
  });

  const refused: readonly (readonly [string, () => unknown])[] = [
    ["a cut header", () => only(hex("30"))],
    ["a cut body", () => only(hex("3003 0201"))],
    ["an indefinite length", () => only(hex("3080 0000"))],
    ["a padded length", () => only(hex("048101 00"))],
    ["a length of two octets that fits one", () => only(hex("04820001 00"))],
    ["a length of five octets", () => only(hex("04850000000001 00"))],
    ["a cut length", () => only(hex("0484 0000"))],
    ["a high tag number", () => only(hex("1f8101 00"))],
    ["a negative integer", () => readUnsignedInteger(only(hex("020180")))],
    ["a padded integer", () => readUnsignedInteger(only(hex("02020001")))],
    ["an empty integer", () => readUnsignedInteger(only(hex("0200")))],
    ["a boolean of 1", () => readBoolean(only(hex("010101")))],
    ["a padded object identifier", () => readOid(only(hex("06032a8001")))],
    ["an open object identifier", () => readOid(only(hex("06022a86")))],
    ["a time of the 30th of February", () => readTime(only(element(0x17, Buffer.from("260230000000Z"))))],
    ["a time of the 25th hour", () => readTime(only(element(0x17, Buffer.from("260101250000Z"))))],
    ["a time with an offset", () => readTime(only(element(0x17, Buffer.from("2601010000+0100"))))],
    ["trailing bytes", () => readSingle(Buffer.concat([sequence(), Buffer.from([0])]), 0x30, "it")],
    ["another tag", () => readSingle(integer(1n), 0x30, "it")],
    ["an odd BMPString", () => readString(only(hex("1e0100")))],
  ];
  for (const [name, read] of refused) it(`refuses ${name}`, () => assert.throws(read, { code: "crypto/bad-der" }));
});
