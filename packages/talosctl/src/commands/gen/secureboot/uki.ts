import { createAuthority } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../../command.ts";
import { textOption } from "../../../values.ts";
import { outputOptions, writeOutputs } from "./output-options.ts";

/** Firmware does not look at the end of a certificate's life; ten years, as CAs here have. */
const lifetimeMs = 87_600 * 3_600_000;

export const command: CommandDefinition = {
  description:
    "Makes the certificate and RSA key that sign boot images (UKI): uki-signing-cert.pem, uki-signing-cert.der, uki-signing-key.pem.",
  talksToNodes: false,
  options: [
    { flags: "--common-name <name>", description: "name of the certificate", default: "Test UKI Signing Key" },
    ...outputOptions,
  ],
  examples: ["talosctl gen secureboot uki --common-name 'Lab signing key'"],
  async run(invocation) {
    const name = textOption(invocation, "commonName") ?? "";
    const notBefore = new Date();
    const { pem, certificate } = await createAuthority({
      keyType: "rsa",
      subject: { commonName: name, organizations: [name] },
      notBefore,
      notAfter: new Date(notBefore.getTime() + lifetimeMs),
    });
    await writeOutputs(invocation, {
      "uki-signing-cert.pem": pem.crt,
      "uki-signing-cert.der": certificate.der,
      "uki-signing-key.pem": pem.key,
    });
  },
};
