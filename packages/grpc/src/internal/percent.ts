/** Encodes a status message for `grpc-message`: printable ASCII but "%" stays, every other byte becomes `%XX`. */
export function percentEncode(text: string): string {
  if (/^[\x20-\x24\x26-\x7e]*$/.test(text)) return text;
  let out = "";
  for (const byte of Buffer.from(text, "utf8")) {
    out +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** Reverses `percentEncode`; sequences that are not valid stay as they are, as the protocol demands. */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  const bytes: number[] = [];
  const source = Buffer.from(text, "utf8");
  for (let index = 0; index < source.length; index += 1) {
    const hex = source[index] === 0x25 ? source.toString("latin1", index + 1, index + 3) : "";
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else {
      bytes.push(source[index] as number);
    }
  }
  return Buffer.from(bytes).toString("utf8");
}
