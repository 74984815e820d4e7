import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { goBuildInfo } from "./go-build-info.ts";

const mark = Buffer.alloc(16, 0x30);

function varint(value: number): Buffer {
  const bytes = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function program(text: string, before = 64): Buffer {
  const modules = Buffer.concat([mark, Buffer.from(text), mark]);
  const header = Buffer.alloc(32);
  header.write("\xff Go buildinf:", "latin1");
  header[14] = 8;
  header[15] = 2;
  const version = Buffer.from("go1.26.6");
  return Buffer.concat([
    Buffer.alloc(before),
    header,
    varint(version.length),
    version,
    varint(modules.length),
    modules,
    Buffer.alloc(100),
  ]);
}

describe("goBuildInfo()", () => {
  it("reads compiler, main module and dependencies, and follows replacements", () => {
    const text =
      "path\texample.org/a/cmd\nmod\texample.org/a\tv1.2.3\th1:x=\ndep\tgolang.org/x/sys\tv0.23.0\th1:y=\n" +
      "dep\texample.org/old\tv1.0.0\n=>\texample.org/new\tv1.1.0\th1:z=\nbuild\tCGO_ENABLED=0\n";
    assert.deepEqual(goBuildInfo(program(text)), {
      goVersion: "go1.26.6",
      modules: [
        { path: "example.org/a", version: "v1.2.3" },
        { path: "golang.org/x/sys", version: "v0.23.0" },
        { path: "example.org/new", version: "v1.1.0" },
      ],
    });
  });

  it("leaves out a main module without a version", () => {
    assert.deepEqual(goBuildInfo(program("mod\texample.org/a\t(devel)\t\n"))?.modules, []);
  });

  it("takes nothing for build info that is not", () => {
    assert.equal(goBuildInfo(Buffer.from("ELF, no Go")), undefined);
    assert.equal(goBuildInfo(program("", 63)), undefined, "not aligned");
  });
});
