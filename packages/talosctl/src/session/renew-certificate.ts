import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { parseCertificate, pemToBase64, type PemPair } from "@talos-ts/crypto";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { roles as allRoles } from "@talos-ts/machinery/roles";
import {
  contextCredentials,
  openTalosconfig,
  resolveContext,
  saveTalosconfig,
  type TalosConfig,
  type TalosconfigFile,
} from "@talos-ts/machinery/talosconfig";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Invocation } from "../command.ts";

/** Describes what the client certificate of a context grants, and how long it was made for. */
export interface PresentCertificate {
  readonly context: string;
  readonly pem: string;
  readonly roles: readonly string[];
  readonly lifetimeMs: number;
  readonly notAfter: Date;
  /** It is in the last third of its life, or past it. */
  readonly due: boolean;
}

/** @returns `undefined` for a context that has no client certificate */
export function presentCertificate(config: TalosConfig, name: string, now: Date): PresentCertificate | undefined {
  const { client } = contextCredentials(resolveContext(config, name), name);
  if (client === undefined) return undefined;
  const { notBefore, notAfter, subject } = parseCertificate(client.crt);
  const lifetimeMs = notAfter.getTime() - notBefore.getTime();
  return {
    context: name,
    pem: client.crt,
    roles: subject.organizations,
    lifetimeMs,
    notAfter,
    due: notAfter.getTime() - now.getTime() < lifetimeMs / 3,
  };
}

/** Asks the endpoint for a successor with the same roles and lifetime. Only an administrator gets one. */
export async function requestSuccessor(
  connection: ApiConnection,
  { roles, lifetimeMs }: Pick<PresentCertificate, "roles" | "lifetimeMs">,
  timeoutMs: number,
): Promise<PemPair> {
  const request = { roles: [...roles], crtTtl: durationFromMs(lifetimeMs) };
  const { messages } = await connection.service(MachineService).generateClientConfiguration(request, { timeoutMs });
  const [message] = messages;
  if (message === undefined)
    throw new OsError({ kind: "internal", message: "The node answered without a certificate" });
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { crt: text(message.crt), key: text(message.key) };
}

/** Puts another key pair into a context of the file, atomically, unless somebody else has done so meanwhile. */
export async function replaceCertificate(
  file: Pick<TalosconfigFile, "location">,
  present: PresentCertificate,
  successor: PemPair,
): Promise<boolean> {
  const { config, location } = await openTalosconfig(file.location.path);
  const context = resolveContext(config, present.context);
  if (contextCredentials(context, present.context).client?.crt !== present.pem) return false;
  const credentials = { crt: pemToBase64(successor.crt), key: pemToBase64(successor.key) };
  const contexts = new Map([...config.contexts, [present.context, { ...context, ...credentials }]]);
  await saveTalosconfig({
    location: { ...location, writeAllowed: file.location.writeAllowed },
    config: { ...config, contexts },
  });
  return true;
}

/** Returns what a person is told. */
export function describeSuccessor({ context }: PresentCertificate, { crt }: PemPair): string {
  const until = parseCertificate(crt).notAfter.toISOString().slice(0, 10);
  return `renewed the client certificate of context ${JSON.stringify(context)}, now valid until ${until}`;
}

const timeoutMs = 5000;

/**
 * Renews the certificate of the context once a command has used it in the last third of its life.
 *
 * Never fails and never delays by more than some seconds: the command itself is over. `TALOSCTL_RENEW=off` switches it off.
 */
export async function renewOnUse({ global, io }: Invocation, connection: ApiConnection): Promise<void> {
  if (io.env["TALOSCTL_RENEW"] === "off" || connection.channel.state !== "ready") return;
  try {
    const file = await openTalosconfig(global.talosconfig, { env: io.env });
    const present = presentCertificate(file.config, global.context ?? file.config.context, new Date());
    if (present?.due !== true || !present.roles.includes(allRoles.admin) || !file.location.writeAllowed) return;
    const successor = await requestSuccessor(connection, present, timeoutMs);
    if (await replaceCertificate(file, present, successor)) io.err(`${describeSuccessor(present, successor)}\n`);
  } catch {
    // The warning about its end goes on; the next command tries again.
  }
}
