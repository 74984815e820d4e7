import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createAuthority, parsePair } from "./authority.ts";
import { certificateCoversHost, parseCertificate, parseCertificateDer } from "./certificate.ts";
import { issuePair } from "./issue.ts";
import { parsePrivateKey } from "../keys.ts";
import { decodePem, encodePem } from "../pem/pem.ts";
import { createRequest, parseRequest } from "./request.ts";
import { hour, noon, seededBytes, seededEntropy } from "../testing/seeded.ts";
import { verifyCertificate } from "./verify.ts";

const rounds = 1500;
const random = seededBytes("fuzz");
const below = (limit: number): number => random(4).readUInt32BE() % limit;

/** One to four changes: a byte replaced, a bit flipped, a piece cut out, doubled, or the end cut off. */
function mutate(original: Uint8Array): Buffer {
  let bytes: Buffer = Buffer.from(original);
  for (let count = 1 + below(4); count > 0; count -= 1) {
    const at = below(Math.max(1, bytes.length));
    const end = at + below(16);
    const changes: readonly (() => Buffer)[] = [
      () => Buffer.concat([bytes.subarray(0, at), random(1), bytes.subarray(at + 1)]),
      () =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([(bytes[at] ?? 0) ^ (1 << below(8))]),
          bytes.subarray(at + 1),
        ]),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]),
      () => Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]),
      () => bytes.subarray(0, at),
    ];
    bytes = changes[below(changes.length)]?.() ?? bytes;
  }
  return bytes;
}

/** Either reads or refuses with an `OsError` that has a code of this package; nothing else may come out. */
function survives(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (err) {
    assert.ok(err instanceof OsError, `${String(err)} is not an OsError`);
    assert.match(err.code, /^crypto\//);
    return false;
  }
}

describe("readers of outside bytes", async () => {
  const validity = { notBefore: noon, notAfter: new Date(noon.getTime() + hour) };
  const leafInit = {
    subject: { organizations: ["a", "b"], commonName: "c" },
    dnsNames: ["d"],
    ipAddresses: ["::1", "10.0.0.1"],
    keyUsages: ["digitalSignature"],
    extKeyUsages: ["serverAuth"],
    ...validity,
  } as const;

  for (const keyType of ["ed25519", "ecdsa", "rsa"] as const) {
    const entropy = seededEntropy(keyType);
    const authority = await createAuthority({ keyType, subject: { organizations: ["o"] }, ...validity }, entropy);
    const leaf = await issuePair(authority, leafInit, entropy);
    const { csr } = await createRequest(keyType, leafInit, entropy);

    it(`survive mutated ${keyType} certificates, and trust none of them`, () => {
      const original = parseCertificate(leaf.crt);
      const roots = [authority.certificate];
      for (let round = 0; round < rounds; round += 1) {
        const der = mutate(original.der);
        if (der.equals(original.der)) continue;
        survives(() => certificateCoversHost(parseCertificateDer(der), "d"));
        const trusted = survives(() =>
          verifyCertificate(parseCertificateDer(der), { roots, at: noon, usage: "serverAuth" }),
        );
        assert.ok(!trusted, `Changed certificate was trusted: ${der.toString("hex")}`);
      }
    });
    it(`survive mutated ${keyType} requests`, () => {
      const [block] = decodePem(csr);
      for (let round = 0; round < rounds; round += 1) {
        survives(() => parseRequest(encodePem(block?.label ?? "", mutate(block?.der ?? Buffer.alloc(0)))));
      }
    });
    it(`survive mutated ${keyType} keys and texts`, () => {
      const [block] = decodePem(leaf.key);
      for (let round = 0; round < rounds / 3; round += 1) {
        survives(() => parsePrivateKey(encodePem(block?.label ?? "", mutate(block?.der ?? Buffer.alloc(0)))));
        survives(() => parsePair({ crt: leaf.crt, key: mutate(Buffer.from(leaf.key)).toString("latin1") }));
        survives(() => parseCertificate(mutate(Buffer.from(leaf.crt)).toString("latin1")));
      }
    });
  }
});
