const multipliers: Readonly<Record<string, bigint>> = {
  pi: 1n << 50n,
  ti: 1n << 40n,
  gi: 1n << 30n,
  mi: 1n << 20n,
  ki: 1n << 10n,
  p: 10n ** 15n,
  t: 10n ** 12n,
  g: 10n ** 9n,
  m: 10n ** 6n,
  k: 10n ** 3n,
};

const form = /^(?<digits>-?\d+)\s*(?<unit>(?:[ptgmk]i?|$).*)$/is;

/**
 * The number a label stands for in numeric comparisons, or `undefined` when it is none: an integer of 64 bits with an
 * optional unit, of which only the prefix counts (`10kg` is 10 000, `4 MiB` is 4 194 304).
 */
export function labelNumber(text: string): bigint | undefined {
  const groups = form.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const digits = BigInt(groups["digits"] ?? "");
  if (BigInt.asIntN(64, digits) !== digits) return undefined;
  const unit = (groups["unit"] ?? "").toLowerCase();
  const multiplier = unit === "" ? 1n : (multipliers[unit.slice(0, 2)] ?? multipliers[unit.slice(0, 1)]);
  return multiplier === undefined ? undefined : BigInt.asIntN(64, digits * multiplier);
}
