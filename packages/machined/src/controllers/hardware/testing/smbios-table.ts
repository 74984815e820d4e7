/** Encodes a structure of a firmware's table: its fields after the header, and its strings. */
export function smbiosStructure(type: number, fields: readonly number[], strings: readonly string[]): Buffer {
  const head = [type, 4 + fields.length, 0, type];
  const text = strings.length === 0 ? "\0\0" : `${strings.join("\0")}\0\0`;
  return Buffer.concat([Buffer.from([...head, ...fields]), Buffer.from(text)]);
}
