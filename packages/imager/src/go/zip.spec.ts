import assert from "node:assert/strict";
import { test } from "node:test";
import { makeZip } from "./testing.ts";
import { readZip } from "./zip.ts";

test("readZip gives every file with its content and leaves folders out", () => {
  const files = readZip(makeZip({ "m@v1/": "", "m@v1/a.txt": "alpha", "m@v1/b/empty": "" }));
  assert.deepEqual(
    files.map((file) => [file.name, file.content().toString()]),
    [
      ["m@v1/a.txt", "alpha"],
      ["m@v1/b/empty", ""],
    ],
  );
});

test("readZip refuses an archive that was cut off", () => {
  const whole = makeZip({ "a.txt": "alpha" });
  assert.throws(() => readZip(whole.subarray(0, whole.length - 4)), { code: "zip/malformed" });
  assert.throws(() => readZip(Buffer.from("not a zip archive at all")), { code: "zip/malformed" });
});

test("readZip refuses content of another size than its directory says", () => {
  const archive = makeZip({ "a.txt": "alpha" });
  const entry = archive.indexOf("PK\u0001\u0002");
  archive.writeUInt32LE(9, entry + 24);
  const [file] = readZip(archive);
  assert.throws(() => file?.content(), { code: "zip/malformed" });
});
