import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createInMemoryState } from "../in-memory.ts";
import { getTyped, listTyped } from "../typed.ts";
import { resourceDefinitionOf } from "./resource-definition-of.ts";
import { namespaceType } from "./namespace.ts";
import { metaTypeInfos, registerNamespace, registerResourceType } from "./register.ts";
import { resourceDefinitionType } from "./resource-definition.ts";
import { singular } from "./singular.ts";

describe("singular()", () => {
  const words: Readonly<Record<string, string>> = {
    AddressStatuses: "AddressStatus",
    BootedEntries: "BootedEntry",
    CertSANs: "CertSAN",
    DNSResolveCaches: "DNSResolveCach",
    DevicesStatuses: "DevicesStatus",
    ExtraManifestsConfigs: "ExtraManifestsConfig",
    HardwareAddresses: "HardwareAddress",
    Identities: "Identity",
    LinkRefreshes: "LinkRefresh",
    PlatformMetadatas: "PlatformMetadata",
    Processes: "Process",
    Services: "Service",
    SystemInformations: "SystemInformation",
    Boxes: "Box",
    Aliases: "Alias",
    Status: "Status",
    Process: "Process",
  };
  for (const [plural, expected] of Object.entries(words)) {
    it(`makes ${expected} of ${plural}`, () => assert.equal(singular(plural), expected));
  }
});

describe("resourceDefinitionOf()", () => {
  it("derives names from the type", () => {
    const definition = resourceDefinitionOf({ type: "BlockDevices.block.talos.dev", defaultNamespace: "runtime" });
    assert.deepEqual(definition, {
      type: "BlockDevices.block.talos.dev",
      displayType: "BlockDevice",
      defaultNamespace: "runtime",
      aliases: ["blockdevice", "bd", "bds"],
      allAliases: ["blockdevices", "blockdevices.block", "blockdevices.block.talos", "blockdevice", "bd", "bds"],
      printColumns: [],
      sensitivity: "",
    });
  });
  it("puts given aliases first and leaves out the s where initials end in one", () => {
    const info = { type: "StaticPodStatuses.kubernetes.talos.dev", defaultNamespace: "k8s", aliases: ["podstatus"] };
    assert.deepEqual(resourceDefinitionOf(info).aliases, ["podstatus", "staticpodstatus", "sps"]);
    const single = { type: "Members.cluster.talos.dev", defaultNamespace: "cluster" };
    assert.deepEqual(resourceDefinitionOf(single).aliases, ["member"]);
    const skipped = resourceDefinitionOf({ ...info, skipAutomaticAliases: true });
    assert.deepEqual([skipped.aliases, skipped.allAliases], [["podstatus"], ["podstatus"]]);
  });
  it("keeps the short names of a bare suffix", () => {
    const { allAliases } = resourceDefinitionOf({ type: "SBOMItems.talos.dev", defaultNamespace: "runtime" });
    assert.deepEqual(allAliases, ["sbomitems", "sbomitems.talos", "sbomitem", "sbomi", "sbomis"]);
  });
  it("refuses names that break the rules", () => {
    const broken: Readonly<Record<string, string>> = {
      "": "missing suffix",
      ".": "name is empty",
      "a.": "suffix is empty",
      "test.cosi.dev": "name should be in CamelCase",
      "1Test.cosi.dev": 'name doesn\'t match "^[A-Z][A-Za-z0-9-]+$"',
      "Test.cosi_dev": 'suffix doesn\'t match "^[a-z][a-z0-9-]+(\\\\.[a-z][a-z0-9-]+)*$"',
      "Test.cosi.dev": "name should be plural",
    };
    for (const [type, problem] of Object.entries(broken)) {
      assert.throws(() => resourceDefinitionOf({ type, defaultNamespace: "" }), {
        code: "cosi/bad-type-name",
        message: `error validating resource definition ${JSON.stringify(type)}: ${problem}`,
      });
    }
  });
});

describe("meta types", () => {
  it("travel and come back", () => {
    const definition = resourceDefinitionOf({
      type: "Tests.cosi.dev",
      defaultNamespace: "here",
      printColumns: [{ name: "Name", jsonPath: "{.name}" }],
      sensitivity: "sensitive",
    });
    const { codec } = resourceDefinitionType;
    assert.deepEqual(codec.decode(codec.encode(definition)), definition);
    assert.deepEqual(Object.keys(codec.toPlain(definition) as object), [
      "type",
      "displayType",
      "defaultNamespace",
      "aliases",
      "allAliases",
      "printColumns",
      "sensitivity",
    ]);
    const plain = codec.toPlain(resourceDefinitionOf({ type: "Tests.cosi.dev", defaultNamespace: "" })) as object;
    assert.ok(!("sensitivity" in plain));
    assert.deepEqual(namespaceType.codec.decode(namespaceType.codec.encode({ description: "x" })), {
      description: "x",
    });
  });
  it("describe themselves", async () => {
    const state = createInMemoryState();
    for (const info of metaTypeInfos) await registerResourceType(state, info);
    await registerNamespace(state, "meta", "Metadata namespace");
    const definitions = await listTyped(state, resourceDefinitionType);
    assert.deepEqual(
      definitions.map(({ metadata, spec }) => [metadata.id, metadata.owner, spec.aliases.join(" ")]),
      [
        ["namespaces.meta.cosi.dev", "meta", "ns namespace"],
        ["resourcedefinitions.meta.cosi.dev", "meta", "api-resources resourcedefinition rd rds"],
      ],
    );
    assert.equal((await getTyped(state, namespaceType, "meta")).spec.description, "Metadata namespace");
  });
});
