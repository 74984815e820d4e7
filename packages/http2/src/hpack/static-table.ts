import { Field } from "../field.ts";

/** Static table of HPACK (RFC 7541 appendix A), one `name: value` per line; the index of the first line is 1. */
const entries = `:authority
:method: GET
:method: POST
:path: /
:path: /index.html
:scheme: http
:scheme: https
:status: 200
:status: 204
:status: 206
:status: 304
:status: 400
:status: 404
:status: 500
accept-charset
accept-encoding: gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`.split("\n");

export const staticTable: readonly Field[] = entries.map((line) => {
  const colon = line.indexOf(": ");
  return colon === -1 ? new Field(line, "") : new Field(line.slice(0, colon), line.slice(colon + 2));
});

/** First index by name, and by value under its name. */
export const staticIndexByName: ReadonlyMap<string, number> = new Map(
  staticTable.map(({ name }, index) => [name, index + 1] as const).toReversed(),
);

export const staticIndexByField: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  [...staticIndexByName.keys()].map((name) => [
    name,
    new Map(
      staticTable
        .flatMap((field, index) => (field.name === name ? [[field.value, index + 1] as const] : []))
        .toReversed(),
    ),
  ]),
);
