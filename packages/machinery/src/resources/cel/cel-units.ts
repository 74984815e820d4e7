import { celUint, type CelInput } from "@bufbuild/cel";

const binary = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const decimal = ["kB", "MB", "GB", "TB", "PB", "EB"];

/** Units of sizes that expressions have names for. */
export const celUnits: Readonly<Record<string, CelInput>> = Object.fromEntries([
  ...binary.map((name, index) => [name, celUint(1024n ** BigInt(index + 1))] as const),
  ...decimal.map((name, index) => [name, celUint(1000n ** BigInt(index + 1))] as const),
]);
