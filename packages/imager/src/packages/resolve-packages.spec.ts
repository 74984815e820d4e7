import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrintedUris, parseShown } from "./resolve-packages.ts";

test("parsePrintedUris reads names and versions and skips talk", () => {
  const text = `Reading package lists...
'http://m/pool/l/libcap2_2.75-10_amd64.deb' libcap2_1%3a2.75-10+deb13u1_amd64.deb 28988 MD5Sum:00
'http://m/pool/r/runc.deb' runc_1.1.15+ds1-2+b4_amd64.deb 3229748 SHA256:00
`;
  assert.deepEqual(parsePrintedUris(text), [
    { name: "libcap2", version: "1:2.75-10+deb13u1", file: "libcap2_1%3a2.75-10+deb13u1_amd64.deb" },
    { name: "runc", version: "1.1.15+ds1-2+b4", file: "runc_1.1.15+ds1-2+b4_amd64.deb" },
  ]);
});

test("parseShown reads one entry for every stanza", () => {
  const text = `Package: runc
Version: 1.1
Size: 10
SHA256: aa
Description: spawns
 containers

Package: mount
Version: 2
Size: 20
SHA256: bb
`;
  assert.deepEqual(
    [...parseShown(text)],
    [
      ["runc=1.1", { sizeBytes: 10, sha256: "aa" }],
      ["mount=2", { sizeBytes: 20, sha256: "bb" }],
    ],
  );
});
