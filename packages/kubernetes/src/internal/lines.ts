import { OsError } from "@talos-ts/base";

const newline = 0x0a;

/** Splits a byte stream into lines; a line over `maxBytes` is an error. */
export async function* lines(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString("utf8");
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > maxBytes) {
      throw new OsError({
        kind: "resource-exhausted",
        code: "kubernetes/event-too-large",
        message: `watch event is larger than ${String(maxBytes)} bytes`,
      });
    }
  }
}
