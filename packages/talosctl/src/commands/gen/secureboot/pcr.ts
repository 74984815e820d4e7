import { encodePrivateKey, generateKey } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../../command.ts";
import { outputOptions, writeOutputs } from "./output-options.ts";

/** Largest RSA key that every TPM 2.0 verifies. */
const bits = 2048;

export const command: CommandDefinition = {
  description: "Makes the RSA key that signs values of TPM registers (PCR): pcr-signing-key.pem.",
  talksToNodes: false,
  options: outputOptions,
  examples: ["talosctl gen secureboot pcr"],
  async run(invocation) {
    await writeOutputs(invocation, { "pcr-signing-key.pem": encodePrivateKey(await generateKey("rsa", bits)) });
  },
};
