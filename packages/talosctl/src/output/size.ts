const units: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1e3,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1e6,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1e9,
  gib: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1e12,
  tib: 1024 ** 4,
};

/** Bytes of a size such as `2GiB`, `512mb` or `2048`, which means MiB; `undefined` when it is none. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = "mib"] = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/i.exec(text.trim()) ?? [];
  const scale = units[unit.toLowerCase()];
  return amount === undefined || scale === undefined ? undefined : Math.round(Number(amount) * scale);
}
