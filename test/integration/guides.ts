import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { root } from "../../scripts/lib/step.ts";
import { guidePages, type Page } from "../docs/documents.ts";
import { instead, notRun } from "../docs/guide-exceptions.ts";
import { guideFiles, guideLines, hasForm, lookCommands } from "../docs/guide-lines.ts";
import type { KubernetesCluster } from "./kubernetes-support.ts";

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
  const all = guidePages();
  const first = ["README.md", "docs/guides/getting-started.md"];
  const ordered = [
    ...first.flatMap((path) => all.filter((page) => page.path === path)),
    ...all.filter(({ path }) => !first.includes(path)),
  ];

  void describe("guides", () => {
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
