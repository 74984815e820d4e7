/** Scalars with a form of their own: durations, addresses, URLs, keys and sizes. */

import { formatByteSize, parseByteSize } from "./go-bytes.ts";
import { formatGoDuration, parseGoDuration } from "@talos-ts/base";
import { parseAddress, parsePrefix } from "./go-net.ts";
import { parseGoUrl } from "./go-url.ts";
import { formatted } from "./scalars.ts";
import type { ScalarType } from "./type.ts";

const durationPattern = String.raw`^[-+]?(((\d+(\.\d*)?|\d*(\.\d+)+)([nuµm]?s|m|h))|0)+$`;

export const durationFormat: ScalarType<string> = {
  ...formatted("a duration such as 1m30s", (text) => formatGoDuration(parseGoDuration(text)), {
    type: "string",
    pattern: durationPattern,
  }),
  parse: (scalar) => {
    if (scalar.value === null) return undefined;
    if (scalar.value === 0) return undefined;
    if (typeof scalar.value !== "string") throw new Error("a duration needs a unit");
    const nanoseconds = parseGoDuration(scalar.value);
    return nanoseconds === 0n ? undefined : formatGoDuration(nanoseconds);
  },
  zero: "0s",
};

export const address: ScalarType<string> = formatted("an IP address", parseAddress, {
  type: "string",
  pattern: "^[0-9a-f.:]+$",
});

export const prefix: ScalarType<string> = formatted("a network such as 10.0.0.0/8", parsePrefix, {
  type: "string",
  pattern: String.raw`^[0-9a-f.:]+/\d{1,3}$`,
});

/** An address with port: `10.0.0.1:51820` or `[fd00::1]:51820`. */
export function parseAddressPort(text: string): string {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const host = parts?.[1] ?? parts?.[2];
  if (parts === null || host === undefined || Number(parts[3]) > 65_535) {
    throw new Error(`not an ip:port: ${JSON.stringify(text)}`);
  }
  return parts[1] === undefined
    ? `${parseAddress(host)}:${Number(parts[3])}`
    : `[${parseAddress(host)}]:${Number(parts[3])}`;
}

export const addressPort: ScalarType<string> = formatted(
  "an address with port such as 10.0.0.1:51820",
  parseAddressPort,
  {
    type: "string",
    pattern: String.raw`^([0-9a-f.:]+|\[[0-9a-f:.]+\]):\d{1,5}$`,
  },
);

/** @param schemes what the JSON schema asks for; other schemes are left to validation */
export function urlFormat(schemes?: string, json?: { readonly [key: string]: string }): ScalarType<string> {
  return formatted(
    "a URL",
    (text) => {
      parseGoUrl(text);
      return text;
    },
    json ?? (schemes === undefined ? { type: "string" } : { type: "string", pattern: `^(${schemes})://` }),
  );
}

/** Bytes in hexadecimal, with or without colons between them. */
function parseHexBytes(text: string): string {
  const digits = text.replaceAll(":", "").toLowerCase();
  if (!/^(?:[0-9a-f]{2})+$/.test(digits)) throw new Error(`${text}: not bytes in hexadecimal`);
  return digits.match(/../g)?.join(":") ?? "";
}

export const hardwareAddressFormat: ScalarType<string> = formatted(
  "a hardware address such as 2e:3c:4d:5e:6f:70",
  parseHexBytes,
  {
    type: "string",
    pattern: "^[0-9a-f:]+$",
  },
);

export const duid: ScalarType<string> = formatted("bytes such as 00:01:00:01", parseHexBytes, {
  type: "string",
  pattern: "^([0-9a-fA-F]{2}(:[0-9a-fA-F]{2})+)$",
});

/** PEM or other bytes, kept in their base64 form. */
export const base64Format: ScalarType<string> = formatted(
  "base64",
  (text) => {
    const compact = text.replaceAll(/[\r\n]/g, "");
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
      throw new Error("illegal base64 data");
    }
    return compact;
  },
  { type: "string" },
);

/** A number of bytes, written `100 GB` where that is exact. */
export const diskSize: ScalarType<number> = {
  is: "scalar",
  expected: "a size such as 100GB",
  parse: (scalar) => (scalar.value === null ? undefined : parseByteSize(scalar.text) || undefined),
  print: formatByteSize,
  zero: 0,
  json: { type: "integer" },
};

/** A condition on the size of a disk. */
export const diskSizeCondition: ScalarType<string> = formatted(
  "a size with an optional comparison such as >= 1TB",
  (text) => {
    const condition = text.trim();
    parseByteSize(condition.replace(/^(?:>=|<=|>|<|==)/, ""));
    return condition;
  },
  { type: "string" },
);

/** Permissions of a file; written in octal. */
export const fileMode: ScalarType<number> = {
  is: "scalar",
  expected: "file permissions such as 0o644",
  parse: (scalar) => {
    const { value } = scalar;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
      throw new Error("not a file mode");
    }
    return value || undefined;
  },
  print: (value) => ({ raw: `0o${value.toString(8)}` }),
  zero: { raw: "0o0" },
  json: { type: "integer" },
};
