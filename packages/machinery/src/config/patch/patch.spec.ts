import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { documentSchemas } from "../documents/index.ts";
import { encodeConfig } from "../encode/encode.ts";
import { loadConfig } from "../load/load.ts";
import { createRandom } from "@talos-ts/base/testing";
import { randomDocument } from "../testing/random-document.ts";
import { applyPatches } from "./apply.ts";
import { loadPatch, loadPatches } from "./load-patch.ts";
import { merge } from "./merge.ts";

const base = `version: v1alpha1
machine:
    type: worker
    certSANs: [a]
    kubelet:
        extraConfig: {a: 1, list: [1], map: {x: 1}}
    sysctls: {a: b}
    network:
        interfaces:
            - interface: eth0
              addresses: [1.1.1.1/8]
              vlans: [{vlanId: 3, mtu: 5}]
            - deviceSelector: {busPath: x}
    files: [{content: a, path: b, permissions: 0644, op: create}]
cluster:
    network: {podSubnets: [1.0.0.0/8]}
    apiServer:
        extraArgs: {a: b}
        admissionControl: [{name: P, configuration: {a: {b: 1}}}]
        auditPolicy: {a: 1}
`;

function patched(...patches: readonly string[]): NonNullable<ReturnType<typeof loadConfig>["main"]> {
  return applyPatches(loadConfig(base), loadPatches(patches)).main ?? {};
}

function failure(...patches: readonly string[]): string {
  try {
    patched(...patches);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}

describe("applyPatches() with a strategic merge patch", () => {
  test("joins lists, replaces scalars and merges maps", () => {
    const { machine } = patched("machine: {type: controlplane, certSANs: [b], sysctls: {c: d}}");
    assert.deepEqual(
      [machine?.type, machine?.certSANs, machine?.sysctls],
      ["controlplane", ["a", "b"], { a: "b", c: "d" }],
    );
  });

  test("merges free mappings deeply and joins their lists", () => {
    const { machine } = patched("machine: {kubelet: {extraConfig: {a: 2, list: [2], map: {y: 2}}}}");
    assert.deepEqual(machine?.kubelet?.extraConfig, { a: 2, list: [1, 2], map: { x: 1, y: 2 } });
    assert.equal(
      failure("machine: {kubelet: {extraConfig: {a: text}}}"),
      "merge type mismatch left number right string at machine.kubelet.extraConfig.a",
    );
  });

  test("merges interfaces by name or selector and VLANs by number", () => {
    const { machine } = patched(
      "machine: {network: {interfaces: [{interface: eth0, addresses: [2.2.2.2/8], vlans: [{vlanId: 3, dhcp: true}, {vlanId: 4}]}, {deviceSelector: {busPath: x}, mtu: 9}, {deviceSelector: {busPath: y}}]}}",
    );
    assert.deepEqual(machine?.network?.interfaces, [
      {
        interface: "eth0",
        addresses: ["1.1.1.1/8", "2.2.2.2/8"],
        vlans: [{ vlanId: 3, mtu: 5, dhcp: true }, { vlanId: 4 }],
      },
      { deviceSelector: { busPath: "x" }, mtu: 9 },
      { deviceSelector: { busPath: "y" } },
    ]);
  });

  test("replaces networks and the audit policy, merges admission plugins by name", () => {
    const { cluster } = patched(
      "cluster: {network: {podSubnets: [2.0.0.0/8]}, apiServer: {extraArgs: {a: [x]}, auditPolicy: {b: 1}, admissionControl: [{name: P, configuration: {a: {c: 2}}}, {name: Q}]}}",
    );
    assert.deepEqual(cluster?.network?.podSubnets, ["2.0.0.0/8"]);
    assert.deepEqual(cluster?.apiServer, {
      extraArgs: { a: ["x"] },
      auditPolicy: { b: 1 },
      admissionControl: [{ name: "P", configuration: { a: { b: 1, c: 2 } } }, { name: "Q" }],
    });
  });

  test("matches documents by kind and name and adds new ones behind", () => {
    const document = (kind: string, rest: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n${rest}\n`;
    const config = loadConfig(
      `${base}---\n${document("LinkConfig", "name: a\nmtu: 1")}---\n${document("LinkConfig", "name: b")}`,
    );
    const patch = `${document("LinkConfig", "name: b\nup: true")}---\n${document("ResolverConfig", "searchDomains: {domains: [x]}")}`;
    const result = applyPatches(config, loadPatches([patch]));
    assert.deepEqual(
      result.documents.slice(1).map(({ kind, name, value }) => [kind, name, Object.keys(value as object).slice(3)]),
      [
        ["LinkConfig", "a", ["mtu"]],
        ["LinkConfig", "b", ["up"]],
        ["ResolverConfig", "", []],
      ],
    );
  });

  test("keeps the disk selector of a volume the patch does not mention", () => {
    const volume = "apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: a\n";
    const config = loadConfig(`${volume}provisioning: {diskSelector: {match: 'true'}, minSize: 1GB}\n`);
    const text = encodeConfig(applyPatches(config, loadPatches([`${volume}mount: {secure: false}\n`])));
    assert.match(text, /match: "true"[^]*minSize: 1GB[^]*secure: false/);
  });

  test("leaves the configuration it was given as it is", () => {
    const config = loadConfig(base);
    applyPatches(config, loadPatches(["machine: {sysctls: {a: changed}}"]));
    assert.equal(encodeConfig(config), encodeConfig(loadConfig(base)));
    assert.equal(config.source, base);
  });
});

describe("applyPatches() with $patch: delete", () => {
  test("deletes fields, keys of maps, items of lists and documents", () => {
    const { machine } = patched(
      "machine: {network: {interfaces: [{interface: eth0, $patch: delete}]}, sysctls: {a: {$patch: delete}}, kubelet: {$patch: delete}}",
    );
    assert.deepEqual(machine?.network?.interfaces, [{ deviceSelector: { busPath: "x" } }]);
    assert.deepEqual([machine?.sysctls, machine?.kubelet], [{}, undefined]);
    const link = "apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n";
    assert.equal(
      applyPatches(loadConfig(`${base}---\n${link}`), loadPatches([`${link}$patch: delete\n`])).documents.length,
      1,
    );
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      "of something that is not there",
      "machine: {env: {x: {$patch: delete}}}",
      "patch delete: path 'machine.env.x' in document '/v1alpha1': failed to delete path 'machine.env.x': lookup failed",
    ],
    [
      "inside an item of a list",
      "machine: {network: {interfaces: [{interface: eth0, addresses: {$patch: delete}}]}}",
      "line 1, column 1: error processing patch delete statements at line 1: cannot delete an inner key in 'machine.network.interfaces.[0].addresses'",
    ],
    [
      "of a document without kind",
      "version: v1alpha1\n$patch: delete",
      "line 1, column 1: error processing patch delete statements at line 1: missing apiVersion in document for which $patch: delete is used",
    ],
    [
      "of a document that is not there",
      "apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n$patch: delete",
      "patch delete: path '' in document 'v1alpha1/LinkConfig/a': lookup failed",
    ],
  ];
  for (const [what, patch, message] of refused) {
    test(`refuses the deletion ${what}`, () => {
      assert.equal(failure(patch), message);
    });
  }
});

describe("applyPatches() with JSON 6902 operations", () => {
  test("applies operations in JSON and YAML", () => {
    assert.deepEqual(patched('[{"op":"add","path":"/machine/certSANs/-","value":"z"}]').machine?.certSANs, ["a", "z"]);
    const mode = "- op: replace\n  path: /machine/files/0/permissions\n  value: 0755\n";
    assert.equal(patched(mode).machine?.files?.[0]?.permissions, 0o755);
  });

  test("refuses operations that do not apply, and results that are not a configuration", () => {
    assert.equal(
      failure('[{"op":"test","path":"/machine/type","value":"x"}]'),
      "failure applying rfc6902 patches to talos machine config: testing value /machine/type failed: test failed",
    );
    assert.match(
      failure('[{"op":"remove","path":"/machine/nope"}]'),
      /^failure applying rfc6902 patches .*error in remove for path: '\/machine\/nope'/,
    );
    assert.match(failure('[{"op":"add","path":"/machine/bogus","value":1}]'), /machine\.bogus: unknown key "bogus"/);
  });

  test("refuses several documents with upstream's text", () => {
    const config = loadConfig(`${base}---\napiVersion: v1alpha1\nkind: ResolverConfig\n`);
    assert.throws(() => applyPatches(config, loadPatches(["[]"])), {
      code: "config/patch-multidoc",
      message: "JSON6902 patches are not supported for multi-document machine configuration",
    });
  });
});

describe("loadPatches()", () => {
  test("reads @files, file names and inline text", () => {
    const folder = mkdtempSync(join(tmpdir(), "patch-"));
    try {
      writeFileSync(join(folder, "p.yaml"), "debug: true\n");
      const kinds = loadPatches([`@${join(folder, "p.yaml")}`, join(folder, "p.yaml"), "debug: true", "[]"]).map(
        ({ kind }) => kind,
      );
      assert.deepEqual(kinds, ["strategic", "strategic", "strategic", "json6902"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("says what is wrong with a part of a configuration", () => {
    assert.throws(
      () => loadPatch("machine: {typ: worker}"),
      (error: unknown) =>
        isCode(error, "config/bad-patch") && /unknown key "typ", did you mean "type"\?/.test(error.message),
    );
  });
});

describe("merge()", () => {
  for (const schema of documentSchemas()) {
    test(`is associative for ${schema.kind}`, () => {
      const random = createRandom(5);
      for (let round = 0; round < 30; round++) {
        const [a, b, c] = [0, 1, 2].map(() => randomDocument(schema, random));
        const both = (left: () => unknown, right: () => unknown): void => {
          const [x, y] = [left, right].map((run) => attempt(run));
          if (x !== undefined && y !== undefined) assert.deepEqual(x, y);
        };
        both(
          () => merge(schema.type, merge(schema.type, a, b), c),
          () => merge(schema.type, a, merge(schema.type, b, c)),
        );
      }
    });
  }

  test("with nothing changes nothing", () => {
    for (const schema of documentSchemas()) {
      const value = randomDocument(schema, createRandom(2));
      assert.deepEqual(merge(schema.type, value, {}), value);
      assert.deepEqual(merge(schema.type, {}, value), value);
    }
  });
});

/** Free mappings of different shapes cannot be merged at all; then there is nothing to compare. */
function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    assert.ok(isCode(error, "config/patch-mismatch"), String(error));
    return undefined;
  }
}
