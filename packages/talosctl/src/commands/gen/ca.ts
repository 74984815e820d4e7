import { createHash } from "node:crypto";
import { createAuthority, decodePem } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../command.ts";
import { flag, integerOption, textOption } from "../../values.ts";
import { checkNoFiles, writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

export const command: CommandDefinition = {
  description: "Makes a certificate authority: <organization>.crt, .key and .sha256.",
  talksToNodes: false,
  options: [
    { flags: "--organization <name>", description: "organization of its subject; names the files", required: true },
    { flags: "--hours <count>", description: "how long it is valid", default: "87600" },
    { flags: "--rsa", description: "make an RSA key (default: Ed25519)" },
    forceOption,
  ],
  examples: ["talosctl gen ca --organization demo"],
  async run(invocation) {
    const organization = textOption(invocation, "organization") ?? "";
    const force = flag(invocation, "force");
    const now = new Date();
    if (!force) await checkNoFiles(["crt", "sha256", "key"].map((ending) => `${organization}.${ending}`));
    const { pem } = await createAuthority({
      keyType: flag(invocation, "rsa") ? "rsa" : "ed25519",
      subject: { organizations: [organization] },
      notBefore: now,
      notAfter: new Date(now.getTime() + (integerOption(invocation, "hours") ?? 87_600) * 3_600_000),
    });
    const [certificate] = decodePem(pem.crt);
    const hash = createHash("sha256").update(certificate?.der ?? new Uint8Array()).digest("hex");
    await writeNewFile(`${organization}.crt`, pem.crt, { force });
    await writeNewFile(`${organization}.sha256`, hash, { force });
    await writeNewFile(`${organization}.key`, pem.key, { force });
  },
};
