import { OsError } from "@talos-ts/base";
import type { Channel } from "@talos-ts/grpc";
import { readOptional } from "@talos-ts/host";
import type { Io } from "../../command.ts";
import { keyFiles, type KeyFileOptions } from "./key-file.ts";
import { readSigningKey } from "./openpgp-key.ts";
import { registerKey } from "./register-key.ts";
import { serviceAccountOf } from "./service-account.ts";
import type { Signer } from "./signed-headers.ts";

/** Identity and key of a signature. */
export interface Identified {
  readonly identity: string;
  readonly signer: Signer;
  /** Source of the key: a file or a variable. */
  readonly source: string;
}

/** Describes whose key is looked for. */
export interface FindSignerOptions extends Omit<KeyFileOptions, "env"> {
  readonly io: Io;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * Finds the key that signs the calls of a context: that of a service account in the environment, else that of the identity in the
 * keys directory, else a new one that a person at a terminal confirms in the browser.
 */
export async function findSigner(channel: Channel, options: FindSignerOptions): Promise<Identified> {
  const { identity, io, now, signal } = options;
  const account = serviceAccountOf(io.env);
  if (account !== undefined) {
    const signer = await readSigningKey(account.armoredKey, account.variable, now);
    return { identity: account.name, signer, source: account.variable };
  }
  const files = keyFiles({ ...options, env: io.env });
  const problems: OsError[] = [];
  for (const path of files) {
    const armored = (await readOptional(path))?.toString();
    if (armored === undefined) continue;
    try {
      return { identity, signer: await readSigningKey(armored, path, now), source: path };
    } catch (err) {
      problems.push(OsError.from(err));
    }
  }
  const [path] = files;
  const problem = problems[0] ?? noKey(identity, path);
  if (!io.isTerminal) throw withoutTerminal(problem);
  io.err(`Could not authenticate: ${problem.message}\n`);
  return { identity, signer: await registerKey(channel, { identity, path, io, signal }), source: path };
}

const noKey = (identity: string, path: string): OsError =>
  new OsError({
    kind: "unauthenticated",
    code: "cli/no-signing-key",
    message: `Cannot sign calls as ${identity}: there is no key at ${path}`,
  });

/** Only a person can confirm a key; a program has a service account. */
function withoutTerminal({ kind, code, message, cause }: OsError): OsError {
  const next = "talosctl version in a terminal to register a key, or set SIDERO_SERVICE_ACCOUNT_KEY";
  return new OsError({ kind, code, message, next, cause });
}
