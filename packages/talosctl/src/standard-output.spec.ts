import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

/**
 * Every file that writes to the standard output, and the result it writes there. All else is said to a person, and goes to the
 * standard error, so that the output of each command can be piped into a program.
 */
const results: Readonly<Record<string, string>> = {
  "commands/audit.ts": "calls",
  "commands/cluster/discovery.ts": "the log of a daemon",
  "commands/cluster/load-balancer.ts": "the log of a daemon",
  "commands/cluster/show-next.ts": "the cluster",
  "commands/cluster/show.ts": "the cluster",
  "commands/cluster/supervisor.ts": "the log of a daemon",
  "commands/complete.ts": "candidates for the shell",
  "commands/completion/completion-command.ts": "a script for the shell",
  "commands/config-history.ts": "a configuration, or its difference to the present one",
  "commands/config/info.ts": "the context",
  "commands/copy.ts": "an archive, when it is not unpacked",
  "commands/debug.ts": "the output of the container",
  "commands/doctor/connection.ts": "findings",
  "commands/etcd/snapshot.ts": "facts about the snapshot, as upstream",
  "commands/events.ts": "events",
  "commands/gen/config.ts": "a document, when no file is named",
  "commands/gen/secrets.ts": "secrets, when the file is -",
  "commands/get.ts": "resources",
  "commands/image/k8s-bundle.ts": "references of images",
  "commands/image/list.ts": "images",
  "commands/image/talos-bundle.ts": "references of images",
  "commands/inject/serviceaccount.ts": "manifests",
  "commands/inspect-dependencies.ts": "a graph",
  "commands/kubeconfig.ts": "the kubeconfig, when the file is -",
  "commands/list.ts": "files",
  "commands/machineconfig/patch.ts": "the patched configuration, when no file is named",
  "commands/machineconfig/schema.ts": "the schema, when no file is named",
  "commands/memory.ts": "memory in full",
  "commands/operations.ts": "states of an operation that is followed",
  "commands/pcap.ts": "packets",
  "commands/read.ts": "the file",
  "commands/service.ts": "services",
  "commands/usage.ts": "folders and their sizes",
  "commands/validate.ts": "the verdict, as upstream",
  "commands/version.ts": "versions",
  "etcd-recover/print-survey.ts": "the survey",
  "output/record-stream.ts": "JSON lines and YAML documents",
  "output/records.ts": "tables, JSON and YAML",
  "program.ts": "help that was asked for",
  "session/print-lines.ts": "lines of logs",
};

const sources = new Map<string, string>();
for await (const path of glob("**/*.ts", { cwd: import.meta.dirname })) {
  if (path.endsWith(".spec.ts") || path.includes("testing")) continue;
  sources.set(path, await readFile(join(import.meta.dirname, path), "utf8"));
}

test("the standard output has results only: every file that writes to it is listed with what it writes", () => {
  const writers = [...sources].flatMap(([path, text]) => (/\.out\b/.test(text) ? [path] : []));
  assert.deepEqual(writers.sort(), Object.keys(results).sort());
});

test("nothing writes around the two streams of a command", () => {
  const direct = /\bprocess\.std(?:out|err)\b|\bconsole\./;
  // The first one is no command but a daemon that draws on its terminal; the second waits for what was written.
  assert.deepEqual([...sources].flatMap(([path, text]) => (direct.test(text) ? [path] : [])).sort(), [
    "console/main.ts",
    "main.ts",
    "process-io.ts",
  ]);
});
