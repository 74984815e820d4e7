import { OsError } from "@talos-ts/base";

const suffixes: Readonly<Record<string, bigint>> = {
  "": 1n,
  k: 10n ** 3n,
  M: 10n ** 6n,
  G: 10n ** 9n,
  T: 10n ** 12n,
  P: 10n ** 15n,
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
};

/**
 * Bytes of an amount of memory as Kubernetes writes it: `512Mi`, `1.5G`, `1000000`. Fractions of a byte count as one.
 *
 * @throws OsError `k8s/bad-quantity`
 */
export function bytesOfQuantity(text: string): bigint {
  const [, whole = "", fraction = "", suffix = ""] = /^(\d+)(?:\.(\d*))?([A-Za-z]*)$/.exec(text) ?? [];
  const factor = suffixes[suffix];
  if (whole === "" || factor === undefined) {
    throw new OsError({
      kind: "invalid-argument",
      code: "k8s/bad-quantity",
      message: `error parsing memory limit: ${JSON.stringify(text)} is not a quantity; expected digits and a suffix such as Mi`,
      next: "talosctl edit machineconfig",
    });
  }
  const scale = 10n ** BigInt(fraction.length);
  return (BigInt(`${whole}${fraction}`) * factor + scale - 1n) / scale;
}
