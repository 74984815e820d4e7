import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root } from "./step.ts";
import { suiteJob, suiteNames } from "./suites.ts";

describe("suiteNames()", () => {
  it("takes folders and suites by name, and the folders of `npm test` without any", () => {
    assert.deepEqual(suiteNames(["interop/cosi"]), ["interop/cosi"]);
    assert.ok(suiteNames(["docs"]).includes("docs/commands"));
    assert.deepEqual(suiteNames(["nosuch"]), []);
    assert.ok(suiteNames([]).includes("integration/kubernetes"));
  });
});

describe("suites that run at the same time", () => {
  it("use networks of their own", () => {
    const users = new Map<string, Set<string>>();
    for (const name of suiteNames([])) {
      const text = readFileSync(join(root, `test/${name}.spec.ts`), "utf8");
      for (const [, network = ""] of text.matchAll(/["`](10\.\d+)\.\d+\.\d+\/\d+["`]/g))
        users.set(network, (users.get(network) ?? new Set()).add(name));
    }
    assert.notEqual(users.size, 0);
    const shared = [...users].filter(([, names]) => names.size > 1);
    assert.deepEqual(shared, []);
  });
});

describe("suiteJob()", () => {
  it("runs one file, with the environment it is given", () => {
    const { args, env } = suiteJob("interop/cosi", { TEST_LONG: "1" });
    assert.equal(args.at(-1), "test/interop/cosi.spec.ts");
    assert.equal(env?.["TEST_LONG"], "1");
  });
});
