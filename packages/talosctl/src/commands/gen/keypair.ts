import { createAuthority } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../command.ts";
import { flag, textOption } from "../../values.ts";
import { checkNoFiles, writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

const yearMs = 365 * 86_400_000;

export const command: CommandDefinition = {
  description: "Makes a self-signed certificate and its Ed25519 key: <organization>.crt and .key.",
  talksToNodes: false,
  options: [
    { flags: "--organization <name>", description: "organization of its subject; names the files", required: true },
    forceOption,
  ],
  async run(invocation) {
    const organization = textOption(invocation, "organization") ?? "";
    const force = flag(invocation, "force");
    if (!force) await checkNoFiles(["crt", "key"].map((ending) => `${organization}.${ending}`));
    const now = new Date();
    const { pem } = await createAuthority({
      keyType: "ed25519",
      subject: { organizations: [organization] },
      notBefore: now,
      notAfter: new Date(now.getTime() + yearMs),
    });
    await writeNewFile(`${organization}.crt`, pem.crt, { force });
    await writeNewFile(`${organization}.key`, pem.key, { force });
  },
};
