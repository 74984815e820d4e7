import { encodePrivateKey, generateKey } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../command.ts";
import { flag, textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

export const command: CommandDefinition = {
  description: "Makes an Ed25519 private key: <name>.key.",
  talksToNodes: false,
  options: [{ flags: "--name <name>", description: "name of the file, without its ending", required: true }, forceOption],
  examples: ["talosctl gen key --name admin"],
  async run(invocation) {
    const key = encodePrivateKey(await generateKey("ed25519"));
    await writeNewFile(`${textOption(invocation, "name") ?? ""}.key`, key, { force: flag(invocation, "force") });
  },
};
