import { readFile } from "node:fs/promises";
import { issueCertificate, loadAuthority, parseRequest } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../command.ts";
import { flag, integerOption, textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

export const command: CommandDefinition = {
  description: "Signs a certificate request with an authority made by `gen ca`: <name>.crt.",
  talksToNodes: false,
  options: [
    { flags: "--name <name>", description: "name of the file, without its ending", required: true },
    { flags: "--ca <name>", description: "files of the authority, without .crt and .key", required: true },
    { flags: "--csr <path>", description: "file of the request", required: true },
    { flags: "--hours <count>", description: "how long the certificate is valid", default: "24" },
    forceOption,
  ],
  examples: ["talosctl gen crt --name admin --ca demo --csr admin.csr"],
  async run(invocation) {
    const ca = textOption(invocation, "ca") ?? "";
    const authority = loadAuthority({ crt: await readFile(`${ca}.crt`, "utf8"), key: await readFile(`${ca}.key`, "utf8") });
    const request = parseRequest(await readFile(textOption(invocation, "csr") ?? "", "utf8"));
    const now = new Date();
    const certificate = issueCertificate(authority, request.publicKeyInfo, {
      subject: { organizations: request.subject.organizations },
      dnsNames: request.dnsNames,
      ipAddresses: request.ipAddresses,
      keyUsages: ["digitalSignature"],
      extKeyUsages: ["clientAuth"],
      notBefore: now,
      notAfter: new Date(now.getTime() + (integerOption(invocation, "hours") ?? 24) * 3_600_000),
    });
    const path = `${textOption(invocation, "name") ?? ""}.crt`;
    await writeNewFile(path, certificate, { force: flag(invocation, "force") });
  },
};
