import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  defineResource,
  enumOf,
  field,
  flagsOf,
  inline,
  int64,
  list,
  map,
  message,
  omitEmpty,
  optional,
  text,
} from "./index.ts";

const part = message({ name: omitEmpty(1, text), size: field(2, int64) });

const Sample = defineResource({
  type: "Samples.test.talos.dev",
  namespace: "runtime",
  columns: [["Name", "{.name}"]],
  ids: { first: "one", second: "two" },
  spec: {
    numbers: field(4, list(int64)),
    name: field(1, text, "given-name"),
    inner: inline(2, part),
    maybe: omitEmpty(3, optional(int64)),
    parts: omitEmpty(5, map(part)),
  },
});

describe("defineResource", () => {
  test("spec fills what is left out, also inside", () => {
    const spec = Sample.spec({ name: "x", parts: { a: { size: 1 } } });
    assert.deepEqual(spec, {
      numbers: [],
      name: "x",
      inner: { name: "", size: 0 },
      maybe: undefined,
      parts: { a: { name: "", size: 1 } },
    });
  });

  test("toPlain prints in order of statement, omits empty, inlines", () => {
    const spec = Sample.spec({ name: "x", inner: { name: "in" }, numbers: [1] });
    assert.equal(JSON.stringify(Sample.codec.toPlain(spec)), '{"numbers":[1],"given-name":"x","name":"in","size":0}');
  });

  test("codec keeps absent and zero apart where the field is optional", () => {
    const absent = Sample.codec.decode(Sample.codec.encode(Sample.spec()));
    const zero = Sample.codec.decode(Sample.codec.encode(Sample.spec({ maybe: 0 })));
    assert.deepEqual([absent.maybe, zero.maybe], [undefined, 0]);
  });

  test("codec reads numbers packed and one by one, and skips what it does not know", () => {
    const writer = new BinaryWriter();
    writer.tag(4, WireType.Varint).int64(1n).tag(4, WireType.Varint).int64(2n);
    writer.tag(99, WireType.LengthDelimited).string("later");
    writer.tag(1, WireType.Varint).int32(5);
    writer.tag(4, WireType.LengthDelimited).fork().int64(3n).join();
    assert.deepEqual(Sample.codec.decode(writer.finish()), Sample.spec({ numbers: [1, 2, 3] }));
  });

  test("decode refuses a message that ends beyond its bytes", () => {
    const bytes = Uint8Array.of((2 << 3) | WireType.LengthDelimited, 100, 1);
    assert.throws(() => Sample.codec.decode(bytes), { code: "resource/malformed-spec" });
  });

  test("encode refuses a value that does not fit and names the type", () => {
    assert.throws(() => Sample.codec.encode(Sample.spec({ maybe: 1.5 })), {
      code: "resource/unencodable-spec",
      message: /Samples\.test\.talos\.dev/,
    });
  });
});

describe("enumOf", () => {
  const color = enumOf("Color", { red: 1, blue: 2 });
  test("names what has a name and numbers the rest", () => {
    assert.deepEqual(
      [0, 1, 7].map((number) => color.fromNumber(number)),
      ["Color(0)", "red", "Color(7)"],
    );
    assert.deepEqual(
      (["blue", "Color(-3)"] as const).map((name) => color.toNumber(name)),
      [2, -3],
    );
  });
  test("refuses other text", () => {
    assert.throws(() => color.toNumber("green" as "red"), RangeError);
  });
});

test("flagsOf drops bits without a name and prints in order of bits", () => {
  const flags = flagsOf({ UP: 1, DOWN: 2, HIGH: 0x8000_0000 });
  assert.deepEqual(flags.fromNumber(1 | 4), ["UP"]);
  assert.equal(flags.toNumber(["HIGH", "UP"]), 0x8000_0001);
  assert.equal(flags.toPlain(["DOWN", "UP"]), "UP,DOWN");
});
