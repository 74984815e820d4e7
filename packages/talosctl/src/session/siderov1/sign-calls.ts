import { OsError } from "@talos-ts/base";
import type { Channel, ClientInterceptor } from "@talos-ts/grpc";
import { findSigner, type FindSignerOptions, type Identified } from "./find-signer.ts";
import { signHeaders } from "./signed-headers.ts";

/** Identity whose key signs, and the clock; a function, because a call may come minutes after the session was opened. */
export type SignCallsOptions = Omit<FindSignerOptions, "now"> & { readonly now: () => Date };

/** Signs every call of a connection with the OpenPGP key of its context; the first call looks for the key. */
export function signCalls(channel: Channel, options: SignCallsOptions): ClientInterceptor {
  let found: Promise<Identified> | undefined;
  return async ({ metadata, method }, next) => {
    found ??= findSigner(channel, { ...options, now: options.now() });
    const { identity, signer, source } = await found;
    await signHeaders(metadata, method.path, { identity, signer, now: options.now() });
    try {
      await next();
    } catch (err) {
      throw refused(err, identity, source);
    }
  };
}

/** Adds to a refusal how to get a key that counts. */
function refused(err: unknown, identity: string, source: string): unknown {
  const known = OsError.from(err);
  if (known.kind !== "unauthenticated") return err;
  return new OsError({
    kind: "unauthenticated",
    code: "cli/signature-refused",
    message: `The endpoint refused the signature of ${identity} with the key of ${source}: ${known.message}`,
    next: source.startsWith("/")
      ? `rm ${source}, then talosctl version in a terminal to register a key`
      : `unset ${source}`,
    cause: err,
  });
}
