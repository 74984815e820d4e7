import { OsError } from "@talos-ts/base";
import { createClient, type Channel } from "@talos-ts/grpc";
import { AuthService } from "@talos-ts/proto/auth/auth";
import type { Io } from "../../command.ts";
import { writeNewFile } from "../../write-file.ts";
import { generateSigningKey } from "./openpgp-key.ts";
import type { Signer } from "./signed-headers.ts";

/** Describes the key to make. */
export interface RegisterKeyOptions {
  readonly identity: string;
  /** File of the private key, mode 0600; an old one is replaced. */
  readonly path: string;
  readonly io: Pick<Io, "err">;
  readonly signal?: AbortSignal;
}

/**
 * Makes a key and waits until a person has confirmed it in the browser.
 *
 * The key is kept only then: one that nobody confirmed would be tried, and refused, at every call.
 */
export async function registerKey(channel: Channel, options: RegisterKeyOptions): Promise<Signer> {
  const { identity, path, io, signal } = options;
  const call = signal === undefined ? {} : { signal };
  const { signer, armoredPublic, armoredPrivate } = await generateSigningKey(identity);
  const auth = createClient(AuthService, channel);
  const request = { identity: { email: identity }, publicKey: { pgpData: Buffer.from(armoredPublic) } };
  const { loginUrl } = await auth.registerPublicKey(request, call).catch((err: unknown) => {
    throw notServed(err, identity);
  });
  io.err(`Please visit this page to authenticate: ${loginUrl}\n`);
  await auth.awaitPublicKeyConfirmation({ publicKeyId: signer.fingerprint }, call);
  await writeNewFile(path, armoredPrivate, { force: true });
  io.err(`Public key ${signer.fingerprint} is now registered for user ${identity}\nPGP key saved to ${path}\n`);
  return signer;
}

/** A node has no such service: only a proxy in front of it authenticates by signature. */
function notServed(err: unknown, identity: string): OsError {
  const known = OsError.from(err);
  if (known.kind !== "unimplemented") return known;
  return new OsError({
    kind: "failed-precondition",
    code: "cli/no-key-registration",
    message: `Cannot register a key for ${identity}: the endpoint does not serve auth.AuthService, so it is not a proxy that checks signatures`,
    next: "talosctl config info",
    cause: err,
  });
}
