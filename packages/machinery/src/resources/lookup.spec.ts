import { resourceDefinitionOf, type ResourceDefinition } from "@talos-ts/cosi";
import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { findDefinition, resourceDefinitions } from "./lookup.ts";
import { namespaces } from "./namespaces.ts";
import { resourceTypes } from "./resource-types.ts";

const expected = JSON.parse(
  readFileSync(new URL("testdata/definitions.json", import.meta.url), "utf8"),
) as readonly Omit<ResourceDefinition, "aliases">[];

describe("resourceTypes", () => {
  test("holds the 165 types of Talos v1.13, and every type once", () => {
    const types = new Set(resourceTypes.map(({ type }) => type));
    assert.equal(types.size, resourceTypes.length);
    const missing = expected.filter(({ type }) => !types.has(type));
    assert.deepEqual(missing, []);
  });

  test("lives in registered namespaces", () => {
    const names = new Set(namespaces.map(({ name }) => name));
    for (const { type, namespace } of resourceTypes) assert.ok(names.has(namespace), `${type} in ${namespace}`);
  });

  for (const definition of expected) {
    test(`${definition.type} has the names, columns and sensitivity of Talos v1.13`, () => {
      const resource = resourceTypes.find(({ type }) => type === definition.type);
      assert.ok(resource);
      const { aliases: _, ...derived } = resourceDefinitionOf(resource);
      assert.deepEqual(derived, definition);
    });
  }
});

const known = (name: string): ResourceDefinition => findDefinition(resourceDefinitions(), name);

describe("findDefinition, among the types of this version", () => {
  const cases = {
    members: "Members.cluster.talos.dev",
    Member: "Members.cluster.talos.dev",
    "members.cluster": "Members.cluster.talos.dev",
    "members.cluster.talos.dev": "Members.cluster.talos.dev",
    mc: "MachineConfigs.config.talos.dev",
    rd: "ResourceDefinitions.meta.cosi.dev",
    namespace: "Namespaces.meta.cosi.dev",
    podstatus: "StaticPodStatuses.kubernetes.talos.dev",
    dnsresolvecach: "DNSResolveCaches.net.talos.dev",
  };
  for (const [name, type] of Object.entries(cases)) {
    test(`finds ${type} as ${name}`, () => assert.equal(known(name).type, type));
  }

  test("refuses a name of several types and lists them", () => {
    assert.throws(
      () => known("acs"),
      (err) => {
        assert.ok(err instanceof OsError);
        assert.equal(err.kind, "invalid-argument");
        assert.equal(
          err.message,
          'resource type "acs" is ambiguous: [acquireconfigspecs.v1alpha1.talos.dev acquireconfigstatuses.v1alpha1.talos.dev apicertificates.secrets.talos.dev authorizationconfigs.kubernetes.talos.dev]',
        );
        return true;
      },
    );
  });

  test("refuses an unknown name", () => {
    assert.throws(
      () => known("nonsense"),
      (err) =>
        err instanceof OsError && err.kind === "not-found" && err.message === 'resource "nonsense" is not registered',
    );
  });
});

test("findDefinition looks only among the given definitions", () => {
  const [first] = resourceDefinitions();
  assert.ok(first);
  assert.equal(findDefinition([first], first.type.toUpperCase()), first);
  assert.throws(() => findDefinition([], first.type), { code: "resource/not-registered" });
});
