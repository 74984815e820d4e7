import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tlsPrivateKey, type PemPair } from "@talos-ts/crypto";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";

/** PEM files of one side of a connection, for programs. */
export interface IdentityFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export async function writeIdentity(folder: string, authority: string, pair: PemPair): Promise<IdentityFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  return {
    authority: await write("authority.crt", authority),
    certificate: await write("own.crt", pair.crt),
    key: await write("own.key", tlsPrivateKey(pair.key)),
  };
}

/** Identities for a proxy on the loopback, of an authority of its own: that of the proxy, and that of an administrator who calls it. */
export async function writeProxyIdentities(
  folder: string,
): Promise<{ readonly own: IdentityFiles; readonly caller: IdentityFiles }> {
  const now = new Date();
  const { pem } = await createRoot("os", now);
  const names = { fqdn: "proxy", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const own = await writeIdentity(join(folder, "own"), pem.crt, await issueLeaf("apidServer", pem, names, { now }));
  const admin = await issueLeaf("talosconfig", pem, { roles: ["os:admin"] }, { now });
  const caller = await writeIdentity(join(folder, "caller"), pem.crt, admin);
  return { own, caller };
}
