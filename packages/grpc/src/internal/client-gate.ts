import { createCipheriv, createHmac, type CipherGCMTypes } from "node:crypto";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** Alerts of RFC 8446 section 6.2 for a client certificate, by OpenSSL's name of what is wrong with it. */
const alerts: Readonly<Record<string, number>> = {
  CERT_HAS_EXPIRED: 45,
  CERT_NOT_YET_VALID: 45,
  CERT_REVOKED: 44,
  INVALID_PURPOSE: 43,
  CERT_SIGNATURE_FAILURE: 42,
};
const unknownCa = 48;
const certificateRequired = 116;

/** Cipher suites of TLS 1.3: cipher, hash, and size of the key. */
const suites: Readonly<Record<string, readonly [cipher: CipherGCMTypes, hash: string, bytes: number]>> = {
  TLS_AES_128_GCM_SHA256: ["aes-128-gcm", "sha256", 16],
  TLS_AES_256_GCM_SHA384: ["aes-256-gcm", "sha384", 32],
  // Called as GCM is, whatever the types say.
  TLS_CHACHA20_POLY1305_SHA256: ["chacha20-poly1305" as CipherGCMTypes, "sha256", 32],
};

/** Decides about client certificates once the handshake is over. */
export interface ClientGate {
  /** Whether the client may go on; one that may not has been told why, by an alert, and its connection ends. */
  admits(socket: TLSSocket): boolean;
}

/**
 * Refuses clients without a certificate of a trusted CA, with the alert that says what is wrong with theirs.
 *
 * Node.js checks client certificates after the handshake and then hangs up without a word, which leaves people with "connection
 * reset" instead of "unknown certificate authority", and has no call to send an alert. So this encrypts the one record
 * itself, with the key that Node.js gives out for key logs: it is the first record of the server (tickets are switched off, and
 * HTTP/2 has not begun), and the last.
 */
export function createClientGate(server: Server): ClientGate {
  const secrets = new WeakMap<TLSSocket, Buffer>();
  const raws = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const key = keyOf(socket);
    raws.set(key, socket);
    socket.once("close", () => raws.delete(key));
  });
  server.on("keylog", (line: Buffer, socket: TLSSocket) => {
    const [label, , secret = ""] = line.toString("latin1").trim().split(" ");
    if (label === "SERVER_TRAFFIC_SECRET_0") secrets.set(socket, Buffer.from(secret, "hex"));
  });

  return {
    admits(socket) {
      const secret = secrets.get(socket);
      secrets.delete(socket);
      if (socket.authorized) return true;
      const raw = raws.get(keyOf(socket));
      const suite = suites[socket.getCipher().standardName];
      if (secret === undefined || raw === undefined || suite === undefined) socket.destroy();
      else raw.write(alertRecord(suite, secret, alertFor(socket)), () => socket.destroy());
      return false;
    },
  };
}

function alertFor(socket: TLSSocket): number {
  if (socket.getPeerX509Certificate() === undefined) return certificateRequired;
  // Against its type, this is the code and not the error.
  return alerts[String(socket.authorizationError)] ?? unknownCa;
}

/** A fatal alert as the first record under the server's application keys (RFC 8446 sections 5.2 and 7.3). */
function alertRecord([cipher, hash, bytes]: (typeof suites)[string], secret: Buffer, alert: number): Buffer {
  const [fatal, alertType, applicationData, tagBytes] = [2, 21, 23, 16];
  const inner = Buffer.from([fatal, alert, alertType]);
  const header = Buffer.from([applicationData, 3, 3, 0, inner.length + tagBytes]);
  const key = expandLabel(hash, secret, "key", bytes);
  // The sequence number of the first record is zero, so the nonce is the initialization vector as it is.
  const nonce = expandLabel(hash, secret, "iv", 12);
  const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encrypting.setAAD(header, { plaintextLength: inner.length });
  return Buffer.concat([header, encrypting.update(inner), encrypting.final(), encrypting.getAuthTag()]);
}

/** HKDF-Expand-Label of RFC 8446 section 7.1 without a context; no more than one block is ever needed. */
function expandLabel(hash: string, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}

function keyOf(socket: Socket): string {
  return `${String(socket.remoteAddress)} ${String(socket.remotePort)}`;
}
