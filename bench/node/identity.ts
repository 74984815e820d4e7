import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tlsPrivateKey, type PemPair } from "@talos-ts/crypto";

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
