import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { resourceTypes } from "@talos-ts/machinery/resources";
import { roles } from "@talos-ts/machinery/roles";
import { serviceStates } from "../../packages/machined/src/service-state.ts";
import { userIds } from "@talos-ts/machinery/constants";
import { root } from "../../scripts/lib/step.ts";
import { pages } from "./documents.ts";

const guide = (name: string): string => readFileSync(join(root, "docs/guides", name), "utf8");
/** First cells of the rows of the table below a heading. */
const firstCells = (text: string, heading: string): readonly string[] =>
  [...(text.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, cell = ""]) => cell,
  );

describe("guides", () => {
  it("security.md explains every role, and no other", () => {
    assert.deepEqual(firstCells(guide("security.md"), "Roles"), Object.values(roles));
  });
  it("security.md names the users of the daemons", () => {
    assert.match(guide("security.md"), new RegExp(`\\| \`apid\` \\| ${userIds.apid} \\|`));
    assert.match(guide("security.md"), new RegExp(`\\| \`trustd\` \\| ${userIds.trustd} \\|`));
  });
  it("troubleshooting.md explains every state of a service", () => {
    const explained = firstCells(guide("troubleshooting.md"), "What the state of a service means");
    assert.deepEqual(
      explained.toSorted(),
      Object.values(serviceStates)
        .map(({ text }) => text)
        .toSorted(),
    );
  });
});

describe("README and changelog", () => {
  it("state the number of resource types that are recorded of Talos v1.13", () => {
    const path = join(root, "packages/machinery/src/resources/testdata/definitions.json");
    const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly { readonly type: string }[];
    const known = new Set(resourceTypes.map(({ type }) => type));
    assert.deepEqual(
      recorded.map(({ type }) => type).filter((type) => !known.has(type)),
      [],
    );
    for (const page of ["README.md", "CHANGELOG.md"])
      assert.match(
        readFileSync(join(root, page), "utf8"),
        new RegExp(`\\b${String(recorded.length)} resource types`),
        page,
      );
  });
});

describe("links in the documentation", () => {
  for (const { path, text } of pages()) {
    // Output that a page shows may look like a link.
    const prose = text.replaceAll(/^```[^]*?^```$/gm, "");
    const targets = [...prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    it(`${path} leads to files that exist`, () => {
      for (const target of local) assert.ok(existsSync(join(root, dirname(path), target)), target);
    });
  }
});
