/** Writes a GUID as UEFI stores it: its first three groups are little-endian. */
export function encodeGuid(text: string): Buffer {
  const [first = "", second = "", third = "", ...rest] = text.split("-");
  const reversed = [first, second, third].map((group) => Buffer.from(group, "hex").reverse());
  return Buffer.concat([...reversed, Buffer.from(rest.join(""), "hex")]);
}
