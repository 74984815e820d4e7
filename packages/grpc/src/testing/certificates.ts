import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/** PEM material of one identity. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly ca: string;
  /** Issues a certificate for names and addresses; organizations are the roles of a client. */
  issue(subject: { readonly names?: readonly string[]; readonly organizations?: readonly string[] }): Identity;
}

/**
 * An authority of its own for every test, written out in DER.
 *
 * The layer below TLS has no business with the project's certificates, and a test needs only this much of X.509.
 */
export function createAuthority(commonName = "test authority"): Authority {
  const keys = generateKeyPairSync("ed25519");
  const issuer = nameOf([], commonName);
  const isAuthority = extension("551d13", sequence(der(0x01, Buffer.of(0xff))));
  return {
    ca: certificate(issuer, issuer, keys.publicKey, keys.privateKey, [isAuthority]),
    issue({ names = [], organizations = [] }) {
      const own = generateKeyPairSync("ed25519");
      const alternatives = names.map((name) =>
        isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name)),
      );
      const extensions = names.length === 0 ? [] : [extension("551d11", sequence(...alternatives))];
      const subject = nameOf(organizations, "test");
      return {
        cert: certificate(issuer, subject, own.publicKey, keys.privateKey, extensions),
        key: own.privateKey.export({ format: "pem", type: "pkcs8" }),
      };
    },
  };
}

function certificate(issuer: Buffer, subject: Buffer, key: KeyObject, signer: KeyObject, extensions: Buffer[]): string {
  const algorithm = sequence(oid("2b6570"));
  const validity = sequence(time(Date.now() - 3_600_000), time(Date.now() + 3_600_000));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    issuer,
    validity,
    subject,
    key.export({ format: "der", type: "spki" }),
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  );
  const signed = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), sign(null, body, signer)])));
  return `-----BEGIN CERTIFICATE-----\n${signed.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

function nameOf(organizations: readonly string[], commonName: string): Buffer {
  const attribute = (id: string, value: string): Buffer => der(0x31, sequence(oid(id), der(0x0c, Buffer.from(value))));
  return sequence(...organizations.map((value) => attribute("55040a", value)), attribute("550403", commonName));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, body: Buffer): Buffer {
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
