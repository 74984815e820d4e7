import { readFile } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { parseCertificate, publicKeyFingerprint, type PemPair } from "@talos-ts/crypto";
import { decodeBundle, issueLeaf, validateBundle } from "@talos-ts/machinery/secrets";
import { contextCredentials, openTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { parseDuration } from "../../output/go-duration.ts";
import {
  describeSuccessor,
  presentCertificate,
  replaceCertificate,
  requestSuccessor,
  type PresentCertificate,
} from "../../session/renew-certificate.ts";
import { openSession } from "../../session/session.ts";
import { textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description:
    "Replaces the client certificate of the context by a successor with the same roles: issued by a control plane machine, or, also after the old one has expired, with the secrets of the cluster.",
  options: [
    { flags: "--secrets <path>", description: "issue it here, with this file of `gen secrets`" },
    { flags: "--crt-ttl <duration>", description: "how long it is valid (default: as long as the old one was)" },
  ],
  examples: ["talosctl config renew", "talosctl config renew --secrets secrets.yaml --crt-ttl 8760h"],
  async run(invocation) {
    const { global, io } = invocation;
    const file = await openTalosconfig(global.talosconfig, { env: io.env });
    const present = presentCertificate(file.config, global.context ?? file.config.context, new Date());
    if (present === undefined) throw noCertificate();
    const ttl = textOption(invocation, "crtTtl");
    const wanted = ttl === undefined ? present : { ...present, lifetimeMs: parseDuration(ttl) };
    const { ca } = contextCredentials(resolveContext(file.config, present.context), present.context);
    const successor = await issue(invocation, wanted, ca);
    await replaceCertificate(file, present, successor);
    io.err(`${describeSuccessor(present, successor)}\n`);
  },
};

async function issue(invocation: Invocation, wanted: PresentCertificate, ca: string | undefined): Promise<PemPair> {
  const secrets = textOption(invocation, "secrets");
  if (secrets !== undefined) {
    const bundle = validateBundle(decodeBundle(await readFile(secrets, "utf8")), secrets);
    const { roles, lifetimeMs } = wanted;
    checkAuthority(secrets, bundle.certs.os.crt, wanted.context, ca);
    return issueLeaf("talosconfig", bundle.certs.os, { roles }, { now: new Date(), lifetimeMs });
  }
  await using session = await openSession(invocation, { needsNodes: false, renew: false });
  return await requestSuccessor(session.connection, wanted, 20_000);
}

/** Refuses secrets of another cluster: a certificate of their CA would lock the context out. */
function checkAuthority(path: string, offered: string, context: string, trusted: string | undefined): void {
  if (trusted === undefined) return;
  const [theirs, ours] = [offered, trusted].map((pem) => publicKeyFingerprint(parseCertificate(pem)));
  if (theirs === ours) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "cli/other-authority",
    message: `Cannot renew context "${context}" with "${path}": the file is of another cluster, its CA is ${String(theirs)}, the context trusts ${String(ours)}`,
    next: "talosctl config renew --secrets <file that this cluster was made with>, or talosctl config contexts",
  });
}

function noCertificate(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "cli/no-certificate",
    message: "The context has no client certificate that could be renewed",
    next: "talosctl config info",
  });
}
