import { readFile } from "node:fs/promises";
import { text as textOfStream } from "node:stream/consumers";
import { OsError } from "@talos-ts/base";
import type { CommandDefinition } from "../../command.ts";
import { listOption, textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description: [
    "Adds a ServiceAccount of talos.dev to Kubernetes manifests and mounts its secret into their containers. The result goes to the output;",
    "the machine makes the secret where its configuration allows access from Kubernetes (kubernetesTalosAPIAccess).",
  ].join("\n"),
  talksToNodes: false,
  options: [
    { flags: "-f, --file <path>", description: "manifests to change, - for standard input", required: true },
    { flags: "-r, --roles <list>", description: "roles of the account", list: true, default: ["os:reader"] },
  ],
  examples: [
    'talosctl inject serviceaccount --roles="os:admin" -f deployment.yaml > deployment-injected.yaml',
    "talosctl inject serviceaccount -f - < deployment.yaml",
  ],
  async run(invocation) {
    const { io } = invocation;
    const file = textOption(invocation, "file") ?? "";
    const manifests = file === "-" ? await inputText(io.input) : await readFile(file, "utf8");
    const { injectServiceAccount } = await import("../../inject/inject-service-account.ts");
    io.out(injectServiceAccount(manifests, listOption(invocation, "roles")));
  },
};

async function inputText(input: NodeJS.ReadableStream | undefined): Promise<string> {
  if (input !== undefined) return textOfStream(input as AsyncIterable<Uint8Array>);
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/no-input",
    message: "Cannot read standard input: there is none",
  });
}
