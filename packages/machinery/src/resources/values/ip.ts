import { hostPort } from "@talos-ts/base";
import { bytes, convert, field, int32, message, wrapped, type Single } from "../dsl/index.ts";
import { formatIp, parseIp } from "./ip-text.ts";

/** An IP address as text, `10.5.0.2` or `fe80::1%eth0`; no address is empty text. */
export const ip: Single<string> = convert(wrapped(1, bytes), { zero: "", from: formatIp, to: parseIp });

const bytesAndNumber = message({ ip: field(1, bytes), number: field(2, int32) });

/** A subnet, or an address with the length of its subnet, as text: `10.5.0.2/24`. */
export const ipPrefix: Single<string> = convert(bytesAndNumber, {
  zero: "",
  from: (value) => (value.ip.length === 0 ? "" : `${formatIp(value.ip)}/${value.number}`),
  to(value) {
    if (value === "") return { ip: new Uint8Array(0), number: -1 };
    const [address = "", length = ""] = value.split("/", 2);
    if (!/^\d{1,3}$/.test(length)) throw new RangeError(`"${value}" is not an address with a prefix length`);
    return { ip: parseIp(address), number: Number(length) };
  },
});

/** An address with a port as text: `10.5.0.2:50000`, `[::1]:50000`. */
export const ipPort: Single<string> = convert(bytesAndNumber, {
  zero: "",
  from(value) {
    if (value.ip.length === 0) return "";
    return hostPort(formatIp(value.ip), value.number);
  },
  to(value) {
    if (value === "") return { ip: new Uint8Array(0), number: 0 };
    const [, v6, v4, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(value) ?? [];
    if (port === undefined) throw new RangeError(`"${value}" is not an address with a port`);
    return { ip: parseIp(v6 ?? v4 ?? ""), number: Number(port) };
  },
});
