import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Field } from "../field.ts";
import { createRandom, type Random } from "../testing/random.ts";
import { HpackDecoder } from "./decoder.ts";
import { HpackEncoder } from "./encoder.ts";
import { huffmanDecode, huffmanEncode, huffmanLength } from "./huffman.ts";
import { IntegerReader, writeInteger } from "./integer.ts";
import { staticTable } from "./static-table.ts";

type Pairs = readonly (readonly [string, string])[];

function decode(decoder: HpackDecoder, hex: string | Buffer): [string, string][] {
  const fields: [string, string][] = [];
  const bytes = typeof hex === "string" ? Buffer.from(hex.replaceAll(" ", ""), "hex") : hex;
  decoder.decode(bytes, ({ name, value }) => void fields.push([name, value]));
  return fields;
}

function encode(encoder: HpackEncoder, pairs: Pairs): Buffer {
  const fields = pairs.map(([name, value]) => new Field(name, value));
  const out = Buffer.alloc(HpackEncoder.bound(fields));
  return out.subarray(0, encoder.encode(fields, out, 0));
}

const request1: Pairs = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "www.example.com"],
];
const request2: Pairs = [...request1, ["cache-control", "no-cache"]];
const request3: Pairs = [
  [":method", "GET"],
  [":scheme", "https"],
  [":path", "/index.html"],
  [":authority", "www.example.com"],
  ["custom-key", "custom-value"],
];
const response1: Pairs = [
  [":status", "302"],
  ["cache-control", "private"],
  ["date", "Mon, 21 Oct 2013 20:13:21 GMT"],
  ["location", "https://www.example.com"],
];
const response2: Pairs = [[":status", "307"], ...response1.slice(1)];
const response3: Pairs = [
  [":status", "200"],
  ["cache-control", "private"],
  ["date", "Mon, 21 Oct 2013 20:13:22 GMT"],
  ["location", "https://www.example.com"],
  ["content-encoding", "gzip"],
  ["set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"],
];

/** Examples of RFC 7541 appendix C: blocks of one connection, what they mean, and the table's size after each. */
const examples: Readonly<Record<string, { tableBytes: number; steps: readonly [string, Pairs, number][] }>> = {
  "C.2.1 literal with indexing": {
    tableBytes: 4096,
    steps: [
      ["400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", [["custom-key", "custom-header"]], 55],
    ],
  },
  "C.2.2 literal without indexing": {
    tableBytes: 4096,
    steps: [["040c 2f73 616d 706c 652f 7061 7468", [[":path", "/sample/path"]], 0]],
  },
  "C.2.3 literal never indexed": {
    tableBytes: 4096,
    steps: [["1008 7061 7373 776f 7264 0673 6563 7265 74", [["password", "secret"]], 0]],
  },
  "C.2.4 indexed": { tableBytes: 4096, steps: [["82", [[":method", "GET"]], 0]] },
  "C.3 requests without Huffman coding": {
    tableBytes: 4096,
    steps: [
      ["8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", request1, 57],
      ["8286 84be 5808 6e6f 2d63 6163 6865", request2, 110],
      ["8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65", request3, 164],
    ],
  },
  "C.4 requests with Huffman coding": {
    tableBytes: 4096,
    steps: [
      ["8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", request1, 57],
      ["8286 84be 5886 a8eb 1064 9cbf", request2, 110],
      ["8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf", request3, 164],
    ],
  },
  "C.5 responses without Huffman coding": {
    tableBytes: 256,
    steps: [
      [
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        response1,
        222,
      ],
      ["4803 3330 37c1 c0bf", response2, 222],
      [
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
        response3,
        215,
      ],
    ],
  },
  "C.6 responses with Huffman coding": {
    tableBytes: 256,
    steps: [
      [
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        response1,
        222,
      ],
      ["4883 640e ffc1 c0bf", response2, 222],
      [
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
        response3,
        215,
      ],
    ],
  },
};

describe("HpackDecoder", () => {
  for (const [name, { tableBytes, steps }] of Object.entries(examples)) {
    it(`decodes RFC 7541 ${name}`, () => {
      const decoder = new HpackDecoder(tableBytes);
      for (const [hex, fields, size] of steps) {
        assert.deepEqual(decode(decoder, hex), fields);
        assert.equal(decoder.tableBytes, size);
      }
    });
  }

  const broken = {
    "an index beyond the tables": "be",
    "index 0": "80",
    "a block that ends inside a string": "400a 6375",
    "a block that ends inside an integer": "ff",
    "an integer that is too large": "ffff ffff ff7f",
    "a table larger than allowed": "3fe2 1f",
    "a table size after a field": "8220",
    "Huffman padding of eight bits": "4182 ffff",
    "Huffman padding with zeros": "4181 00",
    "the end-of-string symbol": "4184 ffff ffff",
  };
  for (const [what, hex] of Object.entries(broken)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => decode(new HpackDecoder(4096), hex), { name: "Http2Error", errorCode: 9 });
    });
  }

  it("follows changes of the table's size, and refuses entries that are gone", () => {
    const decoder = new HpackDecoder(4096);
    assert.deepEqual(decode(decoder, "4001 6101 62"), [["a", "b"]]);
    assert.deepEqual(decode(decoder, "be"), [["a", "b"]]);
    assert.deepEqual(decode(decoder, "20 3f e1 1f 82"), [[":method", "GET"]]);
    assert.throws(() => decode(decoder, "be"), { errorCode: 9 });
  });

  it("gives the same field objects for entries of the table", () => {
    const decoder = new HpackDecoder(4096);
    const seen = new Set<Field>();
    for (const hex of ["40016101 62", "be", "be"]) {
      decoder.decode(Buffer.from(hex.replace(" ", ""), "hex"), (field) => void seen.add(field));
    }
    assert.equal(seen.size, 1);
  });
});

describe("HpackEncoder", () => {
  it("keeps values that hardly repeat out of the table, but for their name and those that come twice in a row", () => {
    const encoder = new HpackEncoder(4096);
    const decoder = new HpackDecoder(4096);
    const lengthOf = (value: string): number => {
      const block = encode(encoder, [["grpc-timeout", value]]);
      assert.deepEqual(decode(decoder, block), [["grpc-timeout", value]]);
      return block.length;
    };
    const [first, ...others] = ["9999m", "9998m", "9997m", "9996m"].map(lengthOf);
    assert.ok(
      others.every((length) => length < (first ?? 0)),
      "the name is not sent again",
    );
    const { tableBytes } = decoder;
    assert.deepEqual(["10000m", "10000m", "10000m", "10000m"].map(lengthOf).slice(-2), [1, 1]);
    assert.equal(decoder.tableBytes, tableBytes + 50, "one more entry");
  });
});

describe("huffman", () => {
  it("round-trips every byte and random strings, in the announced length", () => {
    const random = createRandom(7541);
    const texts = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte).repeat(1 + (byte % 9)));
    for (let count = 0; count < 2000; count += 1) texts.push(random.bytes(random.below(60)).toString("latin1"));
    for (const text of texts) {
      const out = Buffer.alloc(text.length * 4 + 8);
      const end = huffmanEncode(text, out, 0);
      assert.equal(end, huffmanLength(text));
      assert.equal(huffmanDecode(out, 0, end), text);
    }
  });
});

describe("integers", () => {
  it("round-trip with every prefix, and match RFC 7541 C.1", () => {
    const out = Buffer.alloc(8);
    assert.equal(out.subarray(0, writeInteger(out, 0, 0, 5, 10)).toString("hex"), "0a");
    assert.equal(out.subarray(0, writeInteger(out, 0, 0, 5, 1337)).toString("hex"), "1f9a0a");
    assert.equal(out.subarray(0, writeInteger(out, 0, 0, 8, 42)).toString("hex"), "2a");
    for (let prefix = 4; prefix <= 7; prefix += 1) {
      for (const value of [0, 1, 14, 15, 16, 30, 31, 127, 128, 255, 16_383, 16_384, 1_000_000, 200_000_000]) {
        const end = writeInteger(out, 0, 0, prefix, value);
        const reader = new IntegerReader(out.subarray(0, end));
        assert.equal(reader.read(prefix), value);
        assert.equal(reader.offset, end);
      }
    }
  });
});

function randomFields(random: Random): [string, string][] {
  const names = [":path", "grpc-timeout", "x-a", "x-b", "authorization", "content-type", "x-long"];
  return Array.from({ length: random.below(12) }, () => {
    if (random.below(4) === 0) {
      const { name, value } = random.pick(staticTable);
      return [name, value];
    }
    const value =
      random.below(3) === 0 ? random.bytes(random.below(200)).toString("latin1") : `v${String(random.below(20))}`;
    return [random.pick(names), random.below(40) === 0 ? value.repeat(30) : value];
  });
}

describe("HpackEncoder", () => {
  it("is understood by the decoder for any lists and changes of the table's size", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = createRandom(seed);
      const encoder = new HpackEncoder();
      const decoder = new HpackDecoder(4096);
      for (let step = 0; step < 100; step += 1) {
        if (random.below(10) === 0) encoder.setTableBytes(random.below(5000));
        const fields = randomFields(random);
        assert.deepEqual(
          decode(decoder, encode(encoder, fields)),
          fields,
          `seed ${String(seed)}, step ${String(step)}`,
        );
      }
    }
  });

  it("refers to what it sent before", () => {
    const encoder = new HpackEncoder();
    const first = encode(encoder, request3);
    const second = encode(encoder, request3);
    assert.ok(second.length < first.length / 3);
    assert.equal(second.length, request3.length);
  });

  it("never indexes secrets", () => {
    const encoder = new HpackEncoder();
    const first = encode(encoder, [["token", "abc.def"]]);
    assert.equal((first[0] as number) & 0xf0, 0x10);
    assert.deepEqual(encode(encoder, [["token", "abc.def"]]), first);
  });
});
