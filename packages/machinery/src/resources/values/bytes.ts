import { bytes, convert, printedAs, type Single } from "../dsl/index.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes, printed in base64. */
export const base64: Single<Uint8Array> = printedAs(bytes, (value) => Buffer.from(value).toString("base64"));

/** Bytes that mostly are text, and are printed as text when they are. */
export const mostlyText: Single<Uint8Array> = printedAs(bytes, (value) => {
  try {
    return strict.decode(value);
  } catch {
    return [...value];
  }
});

/** Text that travels as bytes. */
export const textAsBytes: Single<string> = convert(bytes, {
  zero: "",
  from: (value) => Buffer.from(value).toString(),
  to: (value) => Buffer.from(value),
});
