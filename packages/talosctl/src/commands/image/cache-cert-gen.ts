import { isIP } from "node:net";
import { createAuthority, issuePair } from "@talos-ts/crypto";
import type { CommandDefinition } from "../../command.ts";
import { badFlag, flag, listOption, textOption } from "../../values.ts";
import { checkNoFiles, writeNewFile } from "../../write-file.ts";
import { forceOption } from "../gen/force-option.ts";

const lifetimeMs = 10 * 365 * 86_400_000;

export const command: CommandDefinition = {
  description: "Makes a CA and a certificate for `image cache-serve`, and the patch by which nodes trust the CA.",
  talksToNodes: false,
  options: [
    { flags: "--advertised-address <list>", description: "addresses in the certificate", list: true },
    { flags: "--advertised-name <list>", description: "DNS names in the certificate", list: true },
    { flags: "--tls-ca-file <path>", description: "where the CA goes", default: "ca.crt" },
    { flags: "--tls-cert-file <path>", description: "where the certificate goes", default: "tls.crt" },
    { flags: "--tls-key-file <path>", description: "where its key goes", default: "tls.key" },
    { flags: "--patch-file <path>", description: "where the patch goes", default: "image-cache-patch.yaml" },
    forceOption,
  ],
  examples: ["talosctl image cache-cert-gen --advertised-address 10.5.0.1"],
  async run(invocation) {
    const ipAddresses = listOption(invocation, "advertisedAddress");
    const dnsNames = listOption(invocation, "advertisedName");
    for (const address of ipAddresses) {
      if (isIP(address) === 0) throw badFlag("advertisedAddress", address, "an IP address");
    }
    if (ipAddresses.length + dnsNames.length === 0) {
      throw badFlag("advertisedAddress", "", "an address or a name by which nodes reach the registry");
    }
    const force = flag(invocation, "force");
    const names = ["tlsCaFile", "tlsCertFile", "tlsKeyFile", "patchFile"];
    const files = names.map((name) => textOption(invocation, name) ?? "");
    if (!force) await checkNoFiles(files);
    const notBefore = new Date();
    const validity = { notBefore, notAfter: new Date(notBefore.getTime() + lifetimeMs) };
    const authority = await createAuthority({
      keyType: "ecdsa",
      subject: { organizations: ["image-cache"] },
      ...validity,
    });
    const pair = await issuePair(authority, {
      ...validity,
      subject: { commonName: dnsNames[0] ?? ipAddresses[0] ?? "" },
      ipAddresses,
      dnsNames,
      keyUsages: ["digitalSignature"],
      extKeyUsages: ["serverAuth"],
    });
    const texts = [authority.pem.crt, pair.crt, pair.key, patchOf(authority.pem.crt)];
    for (const [index, path] of files.entries()) {
      await writeNewFile(path, texts[index] ?? "", { force, mode: texts[index] === pair.key ? 0o600 : 0o644 });
      invocation.io.err(`wrote ${path}\n`);
    }
  },
};

function patchOf(certificate: string): string {
  const lines = certificate.trimEnd().split("\n");
  return [
    "apiVersion: v1alpha1",
    "kind: TrustedRootsConfig",
    "name: image-cache-ca",
    "certificates: |-",
    ...lines.map((line) => `    ${line}`),
    "",
  ].join("\n");
}
