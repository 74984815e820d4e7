import { bytes, convert, type Single } from "../dsl/index.ts";

/** A MAC address as text: `aa:00:01:02:03:ff`. */
export const hardwareAddress: Single<string> = convert(bytes, {
  zero: "",
  from: (value) => Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join(":"),
  to: (value) => new Uint8Array(Buffer.from(value.replaceAll(":", ""), "hex")),
});
