import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import {
  addressAnswer,
  answers,
  emptyAnswer,
  fitDatagram,
  query,
  readAnswer,
  readQuestion,
  responseCodes,
  types,
} from "./message.ts";

const asked = query("Node-1.Example.org", types.a, 7);
const question = readQuestion(asked);

describe("readQuestion()", () => {
  it("reads name, type and id; the spelling of a name makes no other question", () => {
    assert.equal(question.name, "node-1.example.org");
    assert.equal(question.id, 7);
    assert.equal(question.key, readQuestion(query("node-1.example.ORG", types.a, 8)).key);
    assert.notEqual(question.key, readQuestion(query("node-1.example.org", types.aaaa, 7)).key);
  });
  it("refuses answers, several questions, other operations and bytes that are cut off", () => {
    const changed = (at: number, value: number): Buffer => {
      const bytes = Buffer.from(asked);
      bytes[at] = value;
      return bytes;
    };
    assert.throws(() => readQuestion(changed(2, 0x81)), { code: "dns/malformed" });
    assert.throws(() => readQuestion(changed(5, 2)), { code: "dns/malformed" });
    assert.throws(() => readQuestion(changed(2, 0x29)), { code: "dns/unsupported" });
    for (let end = 0; end < asked.length; end++) {
      assert.throws(() => readQuestion(asked.subarray(0, end)), { code: "dns/malformed" });
    }
  });
  it("takes the size of datagrams from the client", () => {
    const option = Buffer.from([0, 0, 41, 0x10, 0, 0, 0, 0x80, 0, 0, 0]);
    const bytes = Buffer.concat([asked, option]);
    bytes.writeUInt16BE(1, 10);
    assert.equal(readQuestion(bytes).maxDatagramBytes, 4096);
    assert.notEqual(readQuestion(bytes).key, question.key);
    assert.equal(question.maxDatagramBytes, 512);
  });
});

describe("readAnswer()", () => {
  it("finds the times to live", () => {
    const answer = readAnswer(addressAnswer(asked, question, [Buffer.from([10, 5, 0, 2])], 30), question);
    assert.equal(answer.ttlSeconds, 30);
    assert.equal(answer.ttlOffsets.length, 1);
  });
  it("keeps no failures, and nothing that says nothing about time", () => {
    assert.equal(readAnswer(emptyAnswer(asked, responseCodes.serverFailure, question), question).ttlSeconds, 0);
    assert.equal(readAnswer(emptyAnswer(asked, responseCodes.nameError, question), question).ttlSeconds, 0);
  });
});

describe("answers()", () => {
  it("takes only an answer to this very question", () => {
    const answer = emptyAnswer(asked, responseCodes.ok, question);
    assert.ok(answers(answer, asked, question));
    assert.ok(!answers(asked, asked, question));
    const other = query("node-2.example.org", types.a, 7);
    assert.ok(!answers(emptyAnswer(other, responseCodes.ok, readQuestion(other)), asked, question));
    answer.writeUInt16BE(8, 0);
    assert.ok(!answers(answer, asked, question));
  });
});

describe("fitDatagram()", () => {
  it("advises TCP for what is too large", () => {
    const many = Array.from({ length: 60 }, (_, index) => Buffer.from([10, 5, 0, index]));
    const large = addressAnswer(asked, question, many, 30);
    const short = fitDatagram(large, question);
    assert.equal(short.length, question.end);
    assert.equal(readAnswer(short, question).truncated, true);
  });
});

describe("DNS messages from outside", () => {
  it("never do worse than be refused", () => {
    const large = addressAnswer(asked, question, [Buffer.from([10, 5, 0, 2])], 30);
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    for (let round = 0; round < 5000; round++) {
      const bytes = Buffer.from(round % 2 === 0 ? large : asked);
      for (let change = 0; change <= random(6); change++) bytes[random(bytes.length)] = random(256);
      const cut = bytes.subarray(0, random(bytes.length + 1));
      for (const read of [() => readQuestion(cut), () => readAnswer(cut, question)]) {
        try {
          read();
        } catch (err) {
          assert.ok(err instanceof OsError, String(err));
        }
      }
    }
  });
});
