import { isIP } from "node:net";
import { createAuthority } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../command.ts";
import { badFlag, flag, textOption } from "../../values.ts";
import { checkNoFiles, writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

const yearMs = 365 * 86_400_000;

export const command: CommandDefinition = {
  description: "Makes a self-signed certificate and its Ed25519 key: <organization>.crt and .key.",
  talksToNodes: false,
  options: [
    { flags: "--organization <name>", description: "organization of its subject; names the files", required: true },
    { flags: "--ip <address>", description: "address the certificate is for" },
    forceOption,
  ],
  examples: ["talosctl gen keypair --organization demo --ip 10.5.0.2"],
  async run(invocation) {
    const organization = textOption(invocation, "organization") ?? "";
    const ip = textOption(invocation, "ip");
    if (ip !== undefined && isIP(ip) === 0) throw badFlag("ip", ip, "an IP address");
    const force = flag(invocation, "force");
    if (!force) await checkNoFiles(["crt", "key"].map((ending) => `${organization}.${ending}`));
    const now = new Date();
    const { pem } = await createAuthority({
      keyType: "ed25519",
      subject: { organizations: [organization] },
      notBefore: now,
      notAfter: new Date(now.getTime() + yearMs),
      ...(ip !== undefined && { ipAddresses: [ip] }),
    });
    await writeNewFile(`${organization}.crt`, pem.crt, { force });
    await writeNewFile(`${organization}.key`, pem.key, { force });
  },
};
