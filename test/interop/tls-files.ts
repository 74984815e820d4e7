import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TlsFiles } from "./go-program.ts";

/** Puts TLS material where the Go program finds it. */
export async function writeTls(
  directory: string,
  material: { cert: string; key: string; ca: string },
): Promise<TlsFiles> {
  const files = { TLS_CERT: join(directory, "cert"), TLS_KEY: join(directory, "key"), TLS_CA: join(directory, "ca") };
  await writeFile(files.TLS_CERT, material.cert);
  await writeFile(files.TLS_KEY, material.key);
  await writeFile(files.TLS_CA, material.ca);
  return files;
}
