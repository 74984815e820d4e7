import { isIPv6 } from "node:net";

/**
 * Whether the address is on the management tunnel: a unique local address (`fd…`) whose eighth byte names the purpose, 3
 * for SideroLink.
 */
export function isSideroLink(address: string): boolean {
  if (!isIPv6(address) || address.includes(".")) return false;
  const [head = "", tail] = address.replace(/%.*$/, "").split("::");
  const left = words(head);
  const right = words(tail ?? "");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  const [first = 0, , , fourth = 0] = [...left, ...zeros, ...right];
  return first >> 8 === 0xfd && (fourth & 0xff) === 0x03;
}

function words(text: string): number[] {
  return text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));
}
