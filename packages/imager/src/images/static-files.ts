import type { TarEntry } from "./tar-entry.ts";

/** Users that images name. */
const users = [
  { name: "root", id: 0 },
  { name: "nobody", id: 65534 },
  { name: "nonroot", id: 65532 },
] as const;

/** Returns what a program without libraries still looks for, apart from the trusted roots. */
export function staticFiles(certificates: Uint8Array): TarEntry[] {
  const file = (path: string, text: string | Uint8Array): TarEntry => ({
    type: "file",
    path,
    mode: 0o644,
    content: typeof text === "string" ? Buffer.from(text) : text,
  });
  return [
    { type: "directory", path: "tmp", mode: 0o1777 },
    file("etc/group", users.map(({ name, id }) => `${name}:x:${String(id)}:\n`).join("")),
    file("etc/nsswitch.conf", "hosts: files dns\n"),
    file("etc/passwd", users.map(({ name, id }) => `${name}:x:${String(id)}:${String(id)}::/:/none\n`).join("")),
    file("etc/ssl/certs/ca-certificates.crt", certificates),
  ];
}
