import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { createRandom } from "@talos-ts/base/testing";
import { describeProblems, loadConfig, readConfig } from "./load.ts";

function messages(text: string): readonly string[] {
  return readConfig(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

function machine(yaml: string): unknown {
  return loadConfig(`machine:\n${yaml.replaceAll(/^/gm, "  ")}`).machine;
}

function addressesOf(text: string): unknown {
  const [document] = loadConfig(text).documents;
  return (document?.value as { readonly addresses?: unknown } | undefined)?.addresses;
}

describe("readConfig()", () => {
  test("names an unknown key, its place, and the nearest valid key", () => {
    assert.deepEqual(messages("version: v1alpha1\nmachine:\n  install:\n    dsk: /dev/sda\n  bogus: 1\n"), [
      '4:5 unknown key "dsk", did you mean "disk"?',
      '5:3 unknown key "bogus"',
    ]);
  });

  test("reports every problem at once with its path", () => {
    const { problems } = readConfig("machine:\n  sysctls: [a]\n  files:\n    - permissions: rw\ncluster: text\n");
    assert.deepEqual(
      problems.map(({ path, message }) => [path.join("/"), message]),
      [
        ["machine/sysctls", "expected a mapping, got a list"],
        ["machine/files/0/permissions", 'expected file permissions such as 0o644, got "rw" (not a file mode)'],
        ["cluster", 'expected a mapping, got "text"'],
      ],
    );
    assert.match(
      describeProblems(problems),
      /^v1alpha1\.Config: line 2, column 12: machine\.sysctls: expected a mapping/,
    );
  });

  test("reads scalars as go-yaml does for the field they are read into", () => {
    assert.deepEqual(
      machine(
        "files: [{permissions: 0644, content: 0644, path: yes}, {permissions: 0o600}]\nkubelet: {registerWithFQDN: yes}",
      ),
      {
        files: [{ permissions: 0o644, content: "0644", path: "yes" }, { permissions: 0o600 }],
        kubelet: { registerWithFQDN: true },
      },
    );
    assert.deepEqual(messages('machine:\n  kubelet: {registerWithFQDN: "true"}\n'), [
      '2:31 expected true or false, got "true" (not a boolean)',
    ]);
    assert.deepEqual(messages("machine:\n  time: {bootTimeout: 5}\n"), [
      '2:23 expected a duration such as 1m30s, got "5" (a duration needs a unit)',
    ]);
  });

  test("quotes neither secrets nor more of a value than helps", () => {
    assert.deepEqual(messages(`machine:\n  ca: {crt: "${"a".repeat(101)}", key: "abc"}\n  token: [abc]\n`), [
      `2:13 expected base64, got "${"a".repeat(60)}…" (illegal base64 data)`,
      "2:123 expected base64, got something else",
      "3:10 expected a string, got a list",
    ]);
  });

  test("refuses fractions where an integer is expected, and follows explicit tags", () => {
    assert.deepEqual(messages("cluster: {controlPlane: {localAPIServerPort: 1.5}}\n"), [
      '1:46 expected an integer, got "1.5" (not an integer)',
    ]);
    assert.deepEqual(machine('kubelet: {extraConfig: {a: !!int "5", b: !!str 5}}\ncertSANs: [~, a]'), {
      kubelet: { extraConfig: { a: 5, b: "5" } },
      certSANs: ["a"],
    });
  });

  test("brings durations, sizes and addresses into one spelling", () => {
    assert.deepEqual(machine("time: {bootTimeout: 90s}\ndisks: [{partitions: [{size: 100GB}]}]"), {
      time: { bootTimeout: "1m30s" },
      disks: [{ partitions: [{ size: 100e9 }] }],
    });
    const link = "apiVersion: v1alpha1\nkind: LinkConfig\nname: a\naddresses: [{address: FD00:0::1/64}]\n";
    assert.deepEqual(addressesOf(link), [{ address: "fd00::1/64" }]);
  });

  const refused: readonly (readonly [string, string, readonly string[]])[] = [
    ["a tab as indentation", "machine:\n\ttype: worker\n", ["2:1 tabs cannot be used for indentation, use spaces"]],
    ["a key used twice", "debug: true\ndebug: false\n", ["2:1 the key is used twice in the same mapping"]],
    ["a list instead of a document", "- a\n", ["1:1 expected a YAML document, got something that is not a mapping"]],
    ["a document without kind", "apiVersion: v1\n", ["1:1 missing kind"]],
    ["a document without version", "kind: BondConfig\n", ["1:1 missing apiVersion"]],
    [
      "an unknown kind",
      "apiVersion: v1alpha1\nkind: BondConfg\n",
      ['1:1 "BondConfg" "v1alpha1": not registered, did you mean BondConfig?'],
    ],
    [
      "an unknown version",
      "apiVersion: v2\nkind: BondConfig\n",
      ['1:1 "BondConfig" "v2": not registered, expected apiVersion v1alpha1'],
    ],
    [
      "the same document twice",
      "debug: true\n---\ndebug: true\n",
      ["3:1 duplicate document /v1alpha1/ is not allowed"],
    ],
    [
      "kinds that exclude each other",
      "apiVersion: v1alpha1\nkind: BondConfig\nname: a\n---\napiVersion: v1alpha1\nkind: VLANConfig\nname: a\n",
      ["5:1 conflicting documents: BondConfig/a and VLANConfig/a"],
    ],
    ["an alias to nowhere", "machine: *a\n", ["1:10 the alias *a leads to no anchor, or to itself"]],
    ["an anchor inside itself", "machine: &a\n  kubelet: *a\n", ["2:12 the alias *a leads to no anchor, or to itself"]],
    ["an empty list item", "machine:\n  disks:\n    -\n", ["3:6 expected a value, got an empty list item"]],
  ];
  for (const [what, text, expected] of refused) {
    test(`refuses ${what}`, () => {
      assert.deepEqual(messages(text), expected);
    });
  }

  test("follows aliases and merge keys, where explicit entries win", () => {
    const text = "machine:\n  sysctls: &s {a: x, b: y}\n  sysfs:\n    <<: *s\n    b: z\n";
    assert.deepEqual(loadConfig(text).machine, { sysctls: { a: "x", b: "y" }, sysfs: { a: "x", b: "z" } });
  });

  test("refuses aliases that would fill the memory", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `    l${level}: &l${level} [${`*l${level - 1},`.repeat(level === 0 ? 0 : 12)}x]`,
    );
    const text = `machine:\n  kubelet:\n   extraConfig:\n${levels.join("\n")}\n`;
    assert.deepEqual(
      readConfig(text).problems.map(({ code }) => code),
      ["config/excessive-aliasing"],
    );
  });

  test("never lets a key reach a prototype", () => {
    const config = loadConfig(
      "machine:\n  sysctls: {__proto__: x}\n  kubelet:\n    extraConfig: {__proto__: {polluted: yes}}\n",
    );
    assert.deepEqual(Object.keys(config.machine?.sysctls ?? {}), ["__proto__"]);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.deepEqual(messages("machine: {__proto__: {}}\n"), ['1:11 unknown key "__proto__"']);
  });

  test("skips empty documents and keeps the source as given", () => {
    const text = "# head\n---\n---\ndebug:   true # why\n";
    const config = loadConfig(text);
    assert.equal(config.documents.length, 1);
    assert.equal(config.source, text);
  });

  test("refuses what is too large, too deep, or not text", () => {
    const codeOf = (input: string | Uint8Array): string | undefined => readConfig(input).problems[0]?.code;
    assert.equal(codeOf("a".repeat(17 * 1024 * 1024)), "config/too-large");
    assert.equal(codeOf(`debug: ${"[".repeat(50_000)}`), "config/too-deep");
    assert.equal(codeOf(Uint8Array.of(0xff, 0xfe, 0x00)), "config/not-text");
  });

  test("reads a configuration of ten megabytes", () => {
    const entries = Array.from({ length: 40_000 }, (_, index) => `    key-${index}: ${"v".repeat(240)}\n`);
    const config = loadConfig(`machine:\n  sysctls:\n${entries.join("")}`);
    assert.equal(Object.keys(config.machine?.sysctls ?? {}).length, 40_000);
  });

  test("never throws, whatever the bytes are", () => {
    const random = createRandom(3);
    const parts = [
      "machine:",
      "cluster:",
      "kind: ",
      "apiVersion: v1alpha1\n",
      "\n",
      "  ",
      "- ",
      "&a ",
      "*a ",
      "{",
      "}",
      "[",
      "]",
      "<<: ",
      "---\n",
      "...",
      "? ",
      ": ",
      "|",
      ">",
      "'",
      '"',
      "#",
      "%",
      "!!int ",
      "\t",
      "\0",
      "\ufeff",
      "é",
      "name: x\n",
      "0644",
      "null",
      "BondConfig\n",
      "$patch: delete\n",
    ];
    for (let round = 0; round < 4000; round++) {
      const text = Array.from({ length: random.below(25) }, () => random.pick(parts)).join("");
      assert.doesNotThrow(() => readConfig(text, { allowDeletions: round % 2 === 0 }), JSON.stringify(text));
    }
  });
});

describe("loadConfig()", () => {
  test("throws config/empty when there is no document", () => {
    assert.throws(
      () => loadConfig("---\n"),
      (error) => isCode(error, "config/empty"),
    );
  });

  test("throws one error with all problems in its details", () => {
    assert.throws(
      () => loadConfig("machine: {a: 1, b: 2}\n"),
      (error: unknown) => isCode(error, "config/invalid") && (error.details["problems"] as unknown[]).length === 2,
    );
  });
});
