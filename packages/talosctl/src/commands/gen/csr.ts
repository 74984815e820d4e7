import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";
import { encodeRequest, parsePrivateKey } from "@talos-ts/crypto";
import { roles } from "@talos-ts/machinery/roles";
import type { CommandDefinition } from "../../command.ts";
import { badFlag, flag, listOption, textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";
import { forceOption } from "./force-option.ts";

export const command: CommandDefinition = {
  description: "Makes a certificate request with a private key: beside the key, with the ending .csr.",
  talksToNodes: false,
  options: [
    { flags: "--key <path>", description: "file of the private key", required: true },
    { flags: "--ip <address>", description: "address the certificate is for", required: true },
    { flags: "--roles <list>", description: `what the certificate allows (default: ${roles.admin})`, list: true },
    forceOption,
  ],
  examples: ["talosctl gen csr --key admin.key --ip 127.0.0.1 --roles os:reader"],
  async run(invocation) {
    const path = textOption(invocation, "key") ?? "";
    const ip = textOption(invocation, "ip") ?? "";
    if (isIP(ip) === 0) throw badFlag("ip", ip, "an IP address");
    const given = listOption(invocation, "roles");
    const unknown = given.filter((role) => !(Object.values(roles) as string[]).includes(role));
    if (unknown.length > 0) {
      const message = `unknown roles: ${unknown.join(", ")}`;
      throw new OsError({ kind: "invalid-argument", code: "cli/bad-request", message });
    }
    const request = encodeRequest(parsePrivateKey(await readFile(path, "utf8")), {
      subject: { organizations: given.length > 0 ? given : [roles.admin] },
      ipAddresses: [ip],
    });
    await writeNewFile(`${path.replace(/\.[^./]*$/, "")}.csr`, request, { force: flag(invocation, "force") });
  },
};
