/** Bytes of a blob, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header with one range.
 *
 * @returns the whole when there is none or its form is unknown, as HTTP wants; `undefined` when it lies outside of the blob.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): (ByteRange & { readonly partial: boolean }) | undefined {
  const whole = { start: 0, end: size - 1, partial: false };
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return whole;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? undefined : { start, end, partial: true };
}
