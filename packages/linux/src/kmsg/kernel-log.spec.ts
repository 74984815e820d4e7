import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "@talos-ts/base/testing";
import { mutate } from "../conformance/mutate.ts";
import { parseKernelLogRecord } from "./kernel-log.ts";

const record = String.raw`30,339,5140900,-,caller=T1;NET: Registered \xc3\xa4 PF_INET6
 SUBSYSTEM=net
 DEVICE=+net:eth0
`;

describe("parseKernelLogRecord()", () => {
  it("reads priority, times, escapes and values", () => {
    assert.deepEqual(parseKernelLogRecord(record), {
      severity: "info",
      facility: 3,
      sequence: 339n,
      timestampMicroseconds: 5140900n,
      continuation: false,
      text: "NET: Registered ä PF_INET6",
      values: new Map([
        ["SUBSYSTEM", "net"],
        ["DEVICE", "+net:eth0"],
      ]),
    });
  });
  it("keeps semicolons of the text and marks continuations", () => {
    const parsed = parseKernelLogRecord("4,1,2,c;a;b\n");
    assert.equal(parsed.text, "a;b");
    assert.equal(parsed.continuation, true);
  });
  it("meets random and damaged records only with typed errors", () => {
    const random = createRandom(99);
    for (let round = 0; round < 20_000; round++) {
      const bytes = round % 4 === 0 ? random.bytes(random.below(60)) : mutate(random, Buffer.from(record));
      try {
        parseKernelLogRecord(bytes.toString("latin1"));
      } catch (err) {
        assert.ok(err instanceof OsError, String(err));
        assert.equal(err.code, "kmsg/malformed");
      }
    }
  });
});
