import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { debianLicense } from "./debian-license.ts";

const format = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: x\n\n";
const file = (license: string): string =>
  `${format}Files: debian/*\nCopyright: a\nLicense: GPL-3+\n\nFiles: *\nCopyright: 2020 b\nLicense: ${license}\n Text\n`;

describe("debianLicense()", () => {
  for (const [debian, spdx] of [
    ["LGPL-2.1+", "LGPL-2.1-or-later"],
    ["BSD-3-clause or GPL-2", "BSD-3-Clause OR GPL-2.0-only"],
    ["Expat", "MIT"],
  ] as const) {
    it(`takes ${debian} of the stanza for all files as ${spdx}`, () => assert.equal(debianLicense(file(debian)), spdx));
  }

  it("does not guess: an unknown licence, and a file of another form", () => {
    assert.equal(debianLicense(file("custom")), undefined);
    assert.equal(debianLicense("This package is free software; License: GPL-2"), undefined);
  });
});
