import { readFile } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { addContext, emptyContext } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { textOption } from "../../values.ts";
import { editTalosconfig } from "./edit-talosconfig.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<context>", description: "name of the new context" }],
  options: [
    { flags: "--ca <path>", description: "file of the CA certificate" },
    { flags: "--crt <path>", description: "file of the client certificate" },
    { flags: "--key <path>", description: "file of the client key" },
  ],
  examples: ["talosctl config add production --ca ca.crt --crt admin.crt --key admin.key"],
  async run(invocation) {
    const credentials = {
      ca: await encodedFile(invocation, "ca"),
      crt: await encodedFile(invocation, "crt"),
      key: await encodedFile(invocation, "key"),
    };
    if ((credentials.crt === "") !== (credentials.key === "")) {
      throw new OsError({
        kind: "invalid-argument",
        code: "cli/bad-flag",
        message: "if either the 'crt' or 'key' flag is specified, both are required",
      });
    }
    const name = invocation.args[0] ?? "";
    await editTalosconfig(invocation, (config) => addContext(config, name, { ...emptyContext, ...credentials }));
  },
};

async function encodedFile(invocation: Invocation, option: string): Promise<string> {
  const path = textOption(invocation, option);
  return path === undefined ? "" : (await readFile(path)).toString("base64");
}
