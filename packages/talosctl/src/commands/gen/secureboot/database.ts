import { readFile } from "node:fs/promises";
import { parseCertificate, parsePair } from "@talos-ts/crypto";
import type { CommandDefinition, Invocation } from "../../../command.ts";
import { ownerOf, signatureList } from "../../../secureboot/signature-list.ts";
import { signVariable } from "../../../secureboot/signed-variable.ts";
import { textOption } from "../../../values.ts";
import { outputOptions, writeOutputs } from "./output-options.ts";

const certificate = "_out/uki-signing-cert.pem";

export const command: CommandDefinition = {
  description:
    "Makes signed values of the UEFI variables db, KEK and PK that enroll a certificate: db.auth, KEK.auth, PK.auth, as boot loaders and firmware take them from a disk.",
  talksToNodes: false,
  options: [
    { flags: "--enrolled-certificate <path>", description: "certificate to enroll", default: certificate },
    { flags: "--signing-certificate <path>", description: "certificate of the signing key", default: certificate },
    { flags: "--signing-key <path>", description: "RSA key to sign with", default: "_out/uki-signing-key.pem" },
    ...outputOptions,
  ],
  examples: ["talosctl gen secureboot uki", "talosctl gen secureboot database"],
  async run(invocation) {
    const enrolled = await read(invocation, "enrolledCertificate");
    const signer = parsePair({
      crt: await read(invocation, "signingCertificate"),
      key: await read(invocation, "signingKey"),
    });
    const list = signatureList(ownerOf(Buffer.from(enrolled)), parseCertificate(enrolled).der);
    const time = new Date();
    await writeOutputs(invocation, {
      "db.auth": signVariable("db", list, signer, time),
      "KEK.auth": signVariable("KEK", list, signer, time),
      "PK.auth": signVariable("PK", list, signer, time),
    });
  },
};

async function read(invocation: Invocation, option: string): Promise<string> {
  return readFile(textOption(invocation, option) ?? "", "utf8");
}
