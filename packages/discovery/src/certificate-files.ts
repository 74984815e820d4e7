import { readFileSync, statSync } from "node:fs";
import type { ServerTlsMaterial } from "@talos-ts/grpc";

/** Certificate and key in files, read again when they have changed; asked at every new connection. */
export function certificateFiles(certificate: string, key: string): () => ServerTlsMaterial {
  let material: ServerTlsMaterial | undefined;
  let seen = "";
  return () => {
    const now = [certificate, key].map((path) => `${String(statSync(path).mtimeMs)}/${String(statSync(path).ino)}`);
    if (material === undefined || now.join() !== seen) {
      material = { cert: readFileSync(certificate), key: readFileSync(key) };
      seen = now.join();
    }
    return material;
  };
}
