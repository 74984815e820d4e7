import { gzipSync } from "node:zlib";

export interface TarFile {
  readonly name: string;
  readonly content?: string;
  /** @default {"0"} */
  readonly type?: string;
  readonly linkName?: string;
}

/** An archive for tests; names that do not fit are given in an extended header. */
export function tarGz(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap((file) => {
    if (file.name.length <= 100) return entry(file);
    const record = ` path=${file.name}\n`;
    const length = String(record.length + String(record.length + 3).length);
    return [...entry({ name: "pax", type: "x", content: length + record }), ...entry({ ...file, name: "short" })];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function entry({ name, content = "", type = "0", linkName = "" }: TarFile): Buffer[] {
  const header = Buffer.alloc(512);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(type === "5" ? 0o755 : 0o644, 7), 100);
  header.write(octal(content.length, 11), 124);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write(linkName, 157);
  header.write("ustar\u000000", 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  );
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return [header, body];
}
