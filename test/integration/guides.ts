import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { root } from "../../scripts/lib/step.ts";
import { pages, type Page } from "../docs/documents.ts";
import { guideFiles, guideLines, hasForm, lookCommands } from "../docs/guide-lines.ts";
import type { KubernetesCluster } from "./kubernetes-support.ts";

/** Lines that are not run, by the reason. A line that no page has any more fails the suite. */
const notRun: Readonly<Record<string, readonly string[]>> = {
  "is what this cluster was made with; fresh machines run it": [
    "npm run up",
    "npm run up      # a local Kubernetes cluster: one control plane, one worker (installs what it needs, shows progress)",
    "npm run down",
  ],
  "runs this suite, or parts of it, or measures": [
    "npm test        # set-up, the gate, unit tests, and suites against real clusters",
    "npm run ok                 # the gate alone: generated files, wire, format, lint, types, unit tests",
    "npm run bench -- cosi      # state and controller runtime against Go; also: config, node",
  ],
  "makes virtual machines, which have a suite of their own": [
    "talosctl cluster create qemu --name vm --subnet 10.7.0.0/24 --workers 0 --images none",
  ],
  "needs a terminal": ["talosctl dashboard"],
  "is for the shell of a person": [
    'export PATH="$PWD/node_modules/.bin:$PATH"',
    'talosctl completion zsh > "${fpath[1]}/_talosctl"',
  ],
  "moves the node to another address": [
    "talosctl --nodes 10.5.0.2 patch mc --patch @address.yaml --confirm-node 10.5.0.99",
  ],
  "needs the secrets that the cluster was made with": ["talosctl config renew --secrets secrets.yaml"],
  "erases machines that the cluster goes on to need": ["talosctl --nodes 10.5.0.5,10.5.0.6 reset --rolling --reboot"],
  "needs a cluster without quorum": ["talosctl --nodes 10.5.0.2 etcd recover"],
  "needs an image with a shell, and a terminal": [
    "talosctl debug ./debug-tools.tar --args /bin/sh --nodes 10.5.0.2",
    "talosctl debug docker.io/library/alpine:latest --args /bin/sh --nodes 10.5.0.2",
  ],
  "needs an archive of an image": ["talosctl image import app.tar"],
  "needs a registry": [
    "talosctl cluster create --images pull --registry-mirror registry.k8s.io=http://10.5.0.1:5000 --registry-mirror ghcr.io=http://10.5.0.1:5000",
    "talosctl image cache-create --image-cache-path ./cache --images - < images.txt",
    "talosctl image cache-serve --image-cache-path ./cache --address 10.5.0.1:5000",
  ],
};

/** Number of the configuration in effect: what a cluster has gone through decides which numbers there are. */
const latest = `"$(talosctl --nodes 10.5.0.2 config-history -o json | grep -o '"number": [0-9]*' | tail -1 | cut -d' ' -f2)"`;

/** Lines that are run in another form: smaller, or away from files of the host. */
const instead: Readonly<Record<string, string>> = {
  "talosctl cluster create --name lab --subnet 10.6.0.0/24 --controlplanes 3 --workers 2":
    "talosctl cluster create --name lab --subnet 10.6.0.0/24 --workers 0 --images none",
  "talosctl cluster stop": "talosctl cluster stop --name lab",
  "talosctl cluster start": "talosctl cluster start --name lab",
  "talosctl cluster create --name bare --subnet 10.6.0.0/24 --skip-injecting-config":
    "talosctl cluster create --name bare --subnet 10.6.0.0/24 --workers 0 --images none --skip-injecting-config --force",
  "discovery-service --listen :3000": "discovery-service --listen 127.0.0.1:0",
  "discovery-service --listen :443 --certificate service.crt --key service.key":
    "discovery-service --listen 127.0.0.1:0 --certificate service.crt --key service.key",
  "talosctl --nodes 10.5.0.2 config-history diff 3": `talosctl --nodes 10.5.0.2 config-history diff ${latest}`,
  "talosctl --nodes 10.5.0.2 config-history restore 3": `talosctl --nodes 10.5.0.2 config-history restore ${latest}`,
  // The cluster goes on to be used.
  'talosctl patch mc --patch \'{"cluster":{"discovery":{"enabled":false}}}\'':
    'talosctl patch mc --dry-run --patch \'{"cluster":{"discovery":{"enabled":false}}}\'',
  // The worker of a cluster that has one control plane.
  "talosctl --nodes 10.5.0.2,10.5.0.3,10.5.0.4 reboot --rolling": "talosctl --nodes 10.5.0.3 reboot --rolling",
  // The authority of Kubernetes has a test of its own, which takes longer.
  "talosctl --nodes 10.5.0.2 rotate-ca --dry-run=false":
    "talosctl --nodes 10.5.0.2 rotate-ca --dry-run=false --kubernetes=false",
  "talosctl completion bash > /etc/bash_completion.d/talosctl": "talosctl completion bash > talosctl.bash",
  "npx cosi-state --help      # the resource state as a stand-alone gRPC server": "cosi-state --help",
};

/** Lines that go on until somebody ends them: they are ended at their first output. */
const endless = /--watch|--follow|^discovery-service|^talosctl events/;

interface Run {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a line in a shell. */
async function run(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Run> {
  const child = spawn("bash", ["-c", `exec 2>&1; ${endless.test(line) ? "exec " : ""}${line}`], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 240_000,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (endless.test(line)) child.kill("SIGINT");
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text };
}

/** Runs every command line of the README and the guides in order, on the cluster. */
export function guides(cluster: () => KubernetesCluster): void {
  const all = pages().filter(({ path }) => path === "README.md" || path.startsWith("docs/guides/"));
  const first = ["README.md", "docs/guides/getting-started.md"];
  const ordered = [
    ...first.flatMap((path) => all.filter((page) => page.path === path)),
    ...all.filter(({ path }) => !first.includes(path)),
  ];

  void describe("guides", () => {
    void it("have every line that is treated as an exception", () => {
      const known = new Set(all.flatMap((page) => guideLines(page).map(({ text }) => text)));
      const exceptions = [...Object.values(notRun).flat(), ...Object.keys(instead)];
      assert.deepEqual(
        exceptions.filter((line) => !known.has(line)),
        [],
      );
    });
    const looked = new Set<string>();
    for (const page of ordered) {
      void describe(page.path, () => {
        const tools = tool(cluster, page);
        void it("begins on the control plane", async () => {
          await tools.prepare();
          const { code, text } = await tools.run(
            "talosctl config context talos-default && talosctl config node 10.5.0.2",
          );
          assert.equal(code, 0, text);
        });
        for (const { text: line, shown } of guideLines(page)) {
          const reason = Object.keys(notRun).find((key) => notRun[key]?.includes(line));
          void it(line, { skip: reason ?? false }, async () => {
            const { code, text } = await tools.run(instead[line] ?? line);
            if (endless.test(line)) assert.ok(text !== "", "no output");
            else assert.equal(code, 0, text);
            assert.ok(hasForm(text, tools.translate(shown)), `expected\n${shown.join("\n")}\nin\n${text}`);
          });
        }
        const looks = lookCommands(page).filter((line) => !looked.has(line));
        for (const line of looks) looked.add(line);
        if (looks.length === 0) return;
        void it(`shows what it says with ${String(looks.length)} commands of its text`, async () => {
          assert.equal((await tools.run("talosctl config node 10.5.0.2")).code, 0);
          for (const line of looks) {
            const { code, text } = await tools.run(line);
            assert.equal(code, 0, `${line}: ${text}`);
          }
        });
      });
    }
  });
}

/** The folder that all pages share, with the files of this one, and its lines as they are for this cluster. */
function tool(cluster: () => KubernetesCluster, page: Page) {
  const folder = (): string => join(cluster().home.path, "guides");
  const prefix = (): string => cluster().controlPlane.replace(/\d+$/, "");
  const fill = (text: string): string =>
    text
      .replaceAll("10.5.0.", prefix())
      .replaceAll("10.6.0.", "10.97.0.")
      .replaceAll("talos-default", cluster().plan.name)
      .replace(/^(talosctl cluster (?:show|stop|start))(?! --name)\b(.*)$/, `$1 --name ${cluster().plan.name}$2`);
  return {
    translate: (lines: readonly string[]): readonly string[] => lines.map(fill),
    async prepare(): Promise<void> {
      await mkdir(folder(), { recursive: true });
      for (const { name, content } of guideFiles(page)) await writeFile(join(folder(), name), content);
    },
    run(line: string): Promise<Run> {
      const { home, plan } = cluster();
      const path = [join(root, "node_modules/.bin"), plan.directory, process.env["PATH"] ?? ""].join(delimiter);
      const cache = process.env["XDG_CACHE_HOME"] ?? `${process.env["HOME"] ?? ""}/.cache`;
      // An editor that changes nothing.
      return run(fill(line), folder(), { PATH: path, HOME: home.path, XDG_CACHE_HOME: cache, EDITOR: "true" });
    },
  };
}
