import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../lib/step.ts";
import { readmeSteps } from "./readme.ts";

const substitute = { name: "other", subnet: "10.9.8.0/24" };
const readme = `
\`\`\`bash
npm run up      # a cluster
npm test
\`\`\`

\`\`\`bash
talosctl --nodes 10.5.0.2,10.5.0.3 version
npm run ok
\`\`\`

\`npm run down\` removes it.
`;

test("readmeSteps maps names and addresses, and leaves out what takes long", () => {
  assert.deepEqual(
    readmeSteps(readme, substitute).map(({ line, command }) => [line, command]),
    [
      ["npm run up", "npm run up -- --name other --subnet 10.9.8.0/24"],
      ["npm test", "npm run setup"],
      ["talosctl --nodes 10.5.0.2,10.5.0.3 version", "talosctl --nodes 10.9.8.2,10.9.8.3 version"],
      ["npm run ok", undefined],
    ],
  );
});

test("readmeSteps refuses a README that no longer makes, calls or removes a cluster", () => {
  assert.throws(() => readmeSteps(readme.replace("npm run up ", "npm run start "), substitute), /npm run up/);
  assert.throws(() => readmeSteps(readme.replace("`npm run down`", "That"), substitute), /npm run down/);
  assert.throws(() => readmeSteps(readme.replace("talosctl", "osctl"), substitute), /talosctl/);
});

test("readmeSteps runs the README of this repository, all lines of talosctl included", async () => {
  const text = await readFile(join(root, "README.md"), "utf8");
  const steps = readmeSteps(text, substitute);
  const calls = steps.filter(({ line }) => line.startsWith("talosctl "));
  assert.ok(calls.length >= 5);
  for (const { command = "" } of calls) assert.doesNotMatch(command, /10\.5\.0\./);
});
