import { createHash } from "node:crypto";
import type { Component } from "./component.ts";

export interface SpdxOptions {
  readonly name: string;
  readonly version: string;
  readonly components: readonly Component[];
  /** Time of creation in seconds since 1970; fixed, as the same parts must give the same bytes. */
  readonly createdSeconds: number;
}

const rootId = "SPDXRef-Package-os";
const unknown = "NOASSERTION";

/**
 * Writes a bill of materials as SPDX 2.3 JSON: one package for the system and one for each component, which it contains.
 * Components are sorted by name and version, equal ones appear once. https://spdx.github.io/spdx-spec/v2.3/
 */
export function spdxDocument({ name, version, components, createdSeconds }: SpdxOptions): string {
  const parts = distinct(components).map((part) => ({ part, id: `SPDXRef-Package-${digest(part.purl).slice(0, 16)}` }));
  const fingerprint = digest(JSON.stringify([name, version, parts.map(({ part }) => part)]));
  const document = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `${name}-${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/${name}-${version}-${fingerprint.slice(0, 32)}`,
    creationInfo: {
      created: new Date(createdSeconds * 1000).toISOString().replace(".000Z", "Z"),
      creators: ["Tool: talos-ts-imager"],
    },
    packages: [
      {
        ...packageOf({ name, version, purl: `pkg:generic/${name}@${version}`, license: "Apache-2.0" }, rootId),
        primaryPackagePurpose: "OPERATING-SYSTEM",
      },
      ...parts.map(({ part, id }) => packageOf(part, id)),
    ],
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: rootId },
      ...parts.map(({ id }) => ({ spdxElementId: rootId, relationshipType: "CONTAINS", relatedSpdxElement: id })),
    ],
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function packageOf({ name, version, license = unknown, purl }: Component, id: string): Record<string, unknown> {
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: unknown,
    filesAnalyzed: false,
    licenseConcluded: unknown,
    licenseDeclared: license,
    copyrightText: unknown,
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
  };
}

function distinct(components: readonly Component[]): Component[] {
  const byUrl = new Map(components.map((part) => [part.purl, part]));
  const key = ({ name, purl }: Component): string => `${name}\0${purl}`;
  return [...byUrl.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
