import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { KubernetesCluster } from "./kubernetes-support.ts";
import { troubleshootingCommands, type TroubleshootingCommand } from "./troubleshooting-commands.ts";

/** Runs every command that one looks for trouble with, and compares the form of what it prints. */
export function troubleshooting(cluster: () => KubernetesCluster): void {
  const facts = new Map<string, string>();

  const run = async ({ program, words }: TroubleshootingCommand): Promise<string> => {
    const filled = words.map((word) => facts.get(word) ?? word);
    if (program === "kubectl") return cluster().kubectl(...filled);
    const { code, stdout, stderr } = await cluster().home.talosctl(...filled);
    assert.equal(code, 0, stderr);
    // Checks of health are shown as they pass, apart from what a command answers.
    return words.includes("health") ? `${stdout}${stderr}` : stdout;
  };

  const create = async (object: object): Promise<void> => {
    const file = await cluster().home.write("needed.json", JSON.stringify(object));
    await cluster().kubectl("create", "-f", file);
  };

  void describe("troubleshooting", () => {
    before(async () => {
      const { controlPlane, worker, plan, home } = cluster();
      const node = plan.nodes[0]?.name ?? "";
      facts.set("<ip>", controlPlane).set("<worker-ip>", worker).set("<node>", node);
      facts.set("<pod>", `kube-apiserver-${node}`);
      const { stdout } = await home.talosctl("-n", controlPlane, "containers", "-k");
      const [container = ""] = /kube-system\/kube-apiserver-\S+:kube-apiserver:[0-9a-f]{12}/.exec(stdout) ?? [];
      facts.set("<container>", container);
    });
    for (const command of troubleshootingCommands) {
      const { program, words, question, grep, form, needs } = command;
      const line = [program, ...words, ...(grep === undefined ? [] : [`| grep '${grep}'`])].join(" ");
      void it(`${question}: ${line}`, async () => {
        if (needs !== undefined) await create(needs);
        const printed = await run(command);
        const text = printed
          .split("\n")
          .filter((each) => grep === undefined || each.includes(grep))
          .join("\n");
        for (const expected of form) assert.match(text, expected);
      });
    }
  });
}
