import type { TextFiles } from "@talos-ts/linux";

/** Bytes that a file of a control group tells; `undefined` for `max` and where there is no such file. */
export async function readSize(files: Pick<TextFiles, "read">, path: string): Promise<number | undefined> {
  const text = await files.read(path).then(
    (found) => found.trim(),
    () => "",
  );
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
