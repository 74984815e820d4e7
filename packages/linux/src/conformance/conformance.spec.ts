import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createLinux } from "../create-linux.ts";
import { linuxConformance } from "./index.ts";
import { createMemorySubject } from "./memory-subject.ts";

describe("createMemoryLinux()", () => {
  linuxConformance(createMemorySubject);
});

const runner = fileURLToPath(new URL("run-on-linux.ts", import.meta.url));
const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].filter((root) => existsSync(root));

describe("createLinux()", { skip: process.getuid?.() === 0 ? false : "needs root for namespaces" }, () => {
  for (const root of roots) {
    it(`passes the suite in namespaces of its own, with control groups of ${root}`, async (context) => {
      using linux = createLinux();
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const result = await linux.namespaces.run({
        unshare: ["mount", "network", "uts"],
        command: process.execPath,
        arguments: ["--disable-warning=ExperimentalWarning", "--test-reporter=tap", runner, root],
        env: env as Record<string, string>,
        signal: context.signal,
      });
      for (const line of result.stdout.split("\n")) if (line.includes("# SKIP")) context.diagnostic(line.trim());
      assert.equal(result.exitCode, 0, `${result.stdout}\n${result.stderr}`);
      assert.match(result.stdout, /^# fail 0$/m);
    });
  }
});
