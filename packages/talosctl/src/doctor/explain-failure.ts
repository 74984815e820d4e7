import { describeError, isKind, OsError } from "@talos-ts/base";
import { parseCertificate } from "@talos-ts/crypto";
import { proxyFromEnvironment } from "@talos-ts/machinery/client";
import { apidPort } from "@talos-ts/machinery/constants";
import { rolesFor } from "@talos-ts/machinery/roles";
import { contextCredentials, openTalosconfig, resolveContext, resolveEndpoints } from "@talos-ts/machinery/talosconfig";
import type { Invocation } from "../command.ts";
import { lastMethodOf } from "../session/last-method.ts";
import { remoteCodeOf } from "../session/remote-code.ts";
import { diagnose, type ClientFacts, type Diagnosis } from "./diagnosis.ts";
import { probeEndpoint } from "./probe-endpoint.ts";

/** Facts about the client of a command. */
export async function clientFacts(
  { global, io }: Invocation,
  now: Date,
): Promise<ClientFacts & { readonly endpoints: readonly string[]; readonly roles: readonly string[] }> {
  const { config } = await openTalosconfig(global.talosconfig, { env: io.env });
  const context = resolveContext(config, global.context);
  const name = global.context ?? config.context;
  const { ca, client } = contextCredentials(context, name);
  const others = new Map<string, string>();
  for (const [other, each] of config.contexts) {
    const trusted = other === name ? undefined : contextCredentials(each, other).ca;
    if (trusted !== undefined) others.set(other, trusted);
  }
  const certificate = client === undefined ? undefined : parseCertificate(client.crt);
  return {
    context: name,
    ca,
    certificate,
    others,
    now,
    endpoints: resolveEndpoints(context, global.endpoints),
    roles: certificate?.subject.organizations ?? [],
  };
}

/** Knocks at the endpoints of a command; resolves to what is wrong with each that has something wrong. */
export async function examineEndpoints(invocation: Invocation, now = new Date()): Promise<readonly Diagnosis[]> {
  const facts = await clientFacts(invocation, now);
  const { config } = await openTalosconfig(invocation.global.talosconfig, { env: invocation.io.env });
  const { client } = contextCredentials(resolveContext(config, invocation.global.context), facts.context);
  const proxy = proxyFromEnvironment(invocation.io.env);
  const probed = await Promise.all(facts.endpoints.map((endpoint) => probeEndpoint(endpoint, client, proxy)));
  return probed.flatMap((endpoint) => diagnose(endpoint, facts) ?? []);
}

/**
 * Adds to the error of a command why it could not reach the API, where knocking at the endpoints tells more than the error does:
 * one sentence, and the command to run next. Any other error is returned as it is.
 */
export async function explainFailure(err: unknown, invocation: Invocation): Promise<unknown> {
  const error = OsError.from(err);
  try {
    const found =
      (await ofRoles(error, invocation)) ?? ofRouting(error, invocation) ?? (await ofConnection(error, invocation));
    if (found === undefined) return err;
    return new OsError({
      kind: error.kind,
      code: found.code,
      message: `${found.sentence}: ${describeError(error)}`,
      next: found.next,
      cause: err,
    });
  } catch {
    // Whatever hinders the examination is not what the person asked about.
    return err;
  }
}

function isConnectCode(code: unknown): boolean {
  return typeof code === "string" && code.startsWith("grpc/connect");
}

async function ofConnection(error: OsError, invocation: Invocation): Promise<Diagnosis | undefined> {
  if (!isConnectCode(error.code) || invocation.options["insecure"] === true) return undefined;
  const [first] = await examineEndpoints(invocation);
  return first;
}

/** An endpoint's words for a machine whose API it does not reach; other names and ports are those that the machine itself wants. */
const unreachedApi = new RegExp(String.raw`(?:Cannot connect to|dial tcp) \S+:${String(apidPort)}\b`);

/** The endpoint answered, and could not or would not pass the call on. */
function ofRouting(error: OsError, { global }: Invocation): Diagnosis | undefined {
  // The endpoint itself was not reached.
  if (isConnectCode(error.code)) return undefined;
  const remote = remoteCodeOf(error);
  const text = describeError(error);
  if (remote === "apid/no-forwarding" || /no request forwarding/.test(text)) {
    return {
      code: "doctor/worker-endpoint",
      sentence: "The endpoint is a worker, which answers for itself alone",
      next: "talosctl config endpoint <control plane address>",
    };
  }
  // The node itself answered: a service of its own, such as etcd, did not.
  if (/Cannot connect to (?:127\.0\.0\.1|localhost|\[::1\]|unix:|\/)/.test(text)) return undefined;
  // A node that has a reason of its own was reached, whatever names and addresses its text mentions.
  if (typeof remote === "string" && remote.includes("/") && !isConnectCode(remote)) return undefined;
  if (!isConnectCode(remote) && !unreachedApi.test(text)) return undefined;
  return {
    code: "doctor/unknown-node",
    sentence: `The endpoint answers, but cannot reach ${global.nodes.length === 0 ? "the node" : global.nodes.join(", ")}: it is off, or no member of this cluster`,
    next: "talosctl get members (on a node that answers) lists the machines of the cluster and their addresses",
  };
}

/** The caller's certificate does not allow the method. */
async function ofRoles(error: OsError, invocation: Invocation): Promise<Diagnosis | undefined> {
  if (!isKind(error, "permission-denied") || !/not authorized/.test(error.message)) return undefined;
  const method = lastMethodOf(invocation);
  if (method === undefined) return undefined;
  const { roles } = await clientFacts(invocation, new Date());
  const wanted = rolesFor(method);
  const own = roles.length === 0 ? "no role" : roles.join(", ");
  const enough = roles.some((role) => wanted.includes(role));
  const asked = method.startsWith("/cosi.resource.State/") ? "resources of a sensitive type" : "what was asked of it";
  return {
    code: "doctor/role-missing",
    sentence: enough
      ? `${method} is allowed to ${own}, but not ${asked}, which needs os:admin`
      : `${method} needs ${wanted.length === 1 ? "" : "one of "}${wanted.join(", ")}; the client certificate has ${own}`,
    next: `talosctl config new --roles ${enough ? "os:admin" : (wanted[0] ?? "os:admin")} (run by an administrator)`,
  };
}
