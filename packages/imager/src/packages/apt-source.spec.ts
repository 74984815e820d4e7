import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseArchive, parseDeb822Sources, parseSourcesList, publicDebian } from "./apt-source.ts";

const deb822 = `Types: deb
# pinned once to a snapshot
URIs: http://mirror.example/debian/
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb-src
URIs: http://mirror.example/sources
Suites: bookworm
Components: main

Types: deb
Enabled: no
URIs: http://disabled.example/debian
Suites: bookworm
Components: main
`;

test("parseDeb822Sources reads enabled binary stanzas and skips comments", () => {
  assert.deepEqual(parseDeb822Sources(deb822), [
    {
      uri: "http://mirror.example/debian",
      suites: ["bookworm", "bookworm-updates"],
      components: ["main"],
      signedBy: "/usr/share/keyrings/debian-archive-keyring.gpg",
    },
  ]);
});

test("parseSourcesList reads options and skips comments and sources", () => {
  const text = `# deb http://commented.example x main
deb-src http://mirror.example/debian bookworm main
deb [arch=amd64 signed-by=/k.gpg] https://mirror.example/debian bookworm main contrib # note
`;
  assert.deepEqual(parseSourcesList(text), [
    { uri: "https://mirror.example/debian", suites: ["bookworm"], components: ["main", "contrib"], signedBy: "/k.gpg" },
  ]);
});

test("chooseArchive takes the archive of the host's own release, not a third party's", () => {
  const third = { uri: "https://vendor.example/apt", suites: ["stable"], components: ["main"], signedBy: undefined };
  const [own] = parseDeb822Sources(deb822);
  assert.ok(own);
  assert.equal(chooseArchive([third, own], "bookworm"), own);
});

test("chooseArchive falls back to Debian's public archive", () => {
  assert.equal(chooseArchive([], "bookworm"), publicDebian);
});
