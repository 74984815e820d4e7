import { createCipheriv, createDecipheriv, randomBytes, type CipherGCMTypes } from "node:crypto";
import { OsError } from "@talos-ts/base";

/** Describes what only members of a cluster can do: write what members can read, and read what members wrote. */
export interface Seal {
  /** Encrypted and authenticated; never the same twice. */
  seal(plain: Uint8Array): Uint8Array;
  /** @throws `discovery/unreadable` for what no member wrote. */
  open(sealed: Uint8Array): Uint8Array;
  /** The same for the same endpoint, so that the service can tell duplicates without reading them. Not authenticated. */
  sealEndpoint(plain: Uint8Array): Uint8Array;
  /** @throws `discovery/bad-endpoint` */
  openEndpoint(sealed: Uint8Array): Uint8Array;
}

const nonceBytes = 12;
const tagBytes = 16;
const blockBytes = 16;

/** The sizes of key that AES has. */
const keyBits: ReadonlyMap<number, number> = new Map([
  [16, 128],
  [24, 192],
  [32, 256],
]);

/** @throws `discovery/bad-key` when the key has another size than AES knows. */
export function createSeal(key: Uint8Array): Seal {
  const bits = keyBits.get(key.length);
  if (bits === undefined) {
    throw new OsError({
      kind: "invalid-argument",
      code: "discovery/bad-key",
      message: `Cannot encrypt for the cluster: "cluster.secret" has ${String(key.length)} bytes, expected 32`,
      next: "talosctl gen secrets",
    });
  }
  const gcm = `aes-${String(bits)}-gcm` as CipherGCMTypes;
  const ecb = `aes-${String(bits)}-ecb`;

  return {
    seal(plain) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(gcm, key, nonce, { authTagLength: tagBytes });
      return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
    },
    open(sealed) {
      if (sealed.length < nonceBytes + tagBytes) {
        throw unreadable(`${String(sealed.length)} bytes are too few`);
      }
      const end = sealed.length - tagBytes;
      try {
        const decipher = createDecipheriv(gcm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
        decipher.setAuthTag(sealed.subarray(end));
        return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]));
      } catch (err) {
        throw unreadable('it was encrypted with another "cluster.secret", or changed on the way', err);
      }
    },
    sealEndpoint(plain) {
      const padded = Buffer.alloc(Math.ceil((plain.length + 1) / blockBytes) * blockBytes);
      padded[0] = plain.length;
      padded.set(plain, 1);
      const cipher = createCipheriv(ecb, key, null).setAutoPadding(false);
      return new Uint8Array(Buffer.concat([cipher.update(padded), cipher.final()]));
    },
    openEndpoint(sealed) {
      if (sealed.length === 0 || sealed.length % blockBytes !== 0) {
        throw badEndpoint(`${String(sealed.length)} bytes are not whole blocks`);
      }
      const decipher = createDecipheriv(ecb, key, null).setAutoPadding(false);
      const padded = Buffer.concat([decipher.update(sealed), decipher.final()]);
      const size = padded.readUInt8(0);
      if (size + 1 > padded.length) throw badEndpoint(`it claims ${String(size)} bytes`);
      return new Uint8Array(padded.subarray(1, size + 1));
    },
  };
}

function unreadable(why: string, cause?: unknown): OsError {
  return new OsError({
    kind: "data-loss",
    code: "discovery/unreadable",
    message: `Cannot decrypt an affiliate of the discovery service: ${why}`,
    cause,
  });
}

/** Returns what is wrong with an endpoint. */
export function badEndpoint(why: string, cause?: unknown): OsError {
  return new OsError({
    kind: "data-loss",
    code: "discovery/bad-endpoint",
    message: `Cannot decode an endpoint of the discovery service: ${why}`,
    cause,
  });
}
