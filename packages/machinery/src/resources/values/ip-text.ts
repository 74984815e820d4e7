import { isIPv4, isIPv6 } from "node:net";

const v4Length = 4;
const v6Length = 16;

/** Address bytes (4, or 16 with the name of a zone behind them) from text; no bytes from no text. */
export function parseIp(text: string): Uint8Array {
  if (text === "") return new Uint8Array(0);
  if (isIPv4(text)) return Uint8Array.from(text.split("."), Number);
  if (!isIPv6(text)) throw new RangeError(`"${text}" is not an IP address`);
  const [address = "", zone = ""] = text.split("%", 2);
  return Buffer.concat([parseIpv6(address), Buffer.from(zone)]);
}

export function formatIp(bytes: Uint8Array): string {
  if (bytes.length === 0) return "";
  if (bytes.length === v4Length) return bytes.join(".");
  if (bytes.length < v6Length) throw new RangeError(`${bytes.length} bytes are not an IP address`);
  const zone = Buffer.from(bytes.subarray(v6Length)).toString();
  return formatIpv6(bytes.subarray(0, v6Length)) + (zone === "" ? "" : `%${zone}`);
}

function parseIpv6(text: string): Uint8Array {
  const [head = "", tail] = text.split("::", 2);
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const missing = Array.from({ length: v6Length - left.length - right.length }, () => 0);
  return Uint8Array.from([...left, ...missing, ...right]);
}

function groupsOf(text: string): readonly number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** RFC 5952, with IPv4 addresses mapped into IPv6 in their mixed form. */
function formatIpv6(bytes: Uint8Array): string {
  const mapped = bytes.subarray(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));
  if (mapped) return `::ffff:${bytes.subarray(12).join(".")}`;
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  const [start, length] = longestZeroRun(groups);
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  if (length < 2) return text(groups);
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best[1]) best = [start, length];
  }
  return best;
}
