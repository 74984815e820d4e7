import {
  certificateCoversHost,
  parseCertificates,
  publicKeyFingerprint,
  verifyCertificate,
  type Certificate,
} from "@talos-ts/crypto";
import { isCode } from "@talos-ts/base";
import { isInMaintenance, type EndpointFacts } from "./probe-endpoint.ts";

/** Describes what is wrong, in one sentence with the words of Go's TLS where it has some, and the command to run next. */
export interface Diagnosis {
  readonly code: string;
  readonly sentence: string;
  readonly next: string;
}

/** Describes what the client has: its context, and the others it could use instead. */
export interface ClientFacts {
  readonly context: string;
  /** PEM of the CA that the context trusts. */
  readonly ca: string | undefined;
  readonly certificate: Certificate | undefined;
  /** PEM of the CAs of all other contexts, by name. */
  readonly others: ReadonlyMap<string, string>;
  readonly now: Date;
}

type Rule = (endpoint: EndpointFacts, client: ClientFacts) => Diagnosis | undefined;

/** In the order in which a connection would meet them; the first that fits is the reason. */
const rules: readonly Rule[] = [
  refusedByProxy,
  noName,
  closed,
  filtered,
  otherProtocol,
  maintenance,
  wrongAuthority,
  serverOutOfDate,
  wrongName,
  clientOutOfDate,
  refusedClient,
];

/** Finds the reason why an endpoint cannot be used; `undefined` when nothing is wrong with it. */
export function diagnose(endpoint: EndpointFacts, client: ClientFacts): Diagnosis | undefined {
  for (const rule of rules) {
    const found = rule(endpoint, client);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refusedByProxy({ host, port, proxyError }: EndpointFacts): Diagnosis | undefined {
  if (proxyError === undefined) return undefined;
  return {
    code: "doctor/proxy",
    sentence: `HTTPS_PROXY is set, and ${proxyError}`,
    next: `NO_PROXY=${host} talosctl … connects directly; else let the proxy connect to port ${String(port)}`,
  };
}

function noName({ host, tcpError }: EndpointFacts): Diagnosis | undefined {
  if (tcpError !== "ENOTFOUND" && tcpError !== "EAI_AGAIN") return undefined;
  return {
    code: "doctor/no-such-host",
    sentence: `There is no address for the name ${host}: dial tcp: lookup ${host}: no such host`,
    next: "talosctl config endpoint <control plane address>",
  };
}

function closed({ host, port, tcpError }: EndpointFacts): Diagnosis | undefined {
  if (tcpError !== "ECONNREFUSED") return undefined;
  return {
    code: "doctor/port-closed",
    sentence: `Port ${String(port)} of ${host} is closed: the host answers, but no API listens there (connect: connection refused)`,
    next: `talosctl config endpoint <control plane address>, or start the machine: talosctl cluster show`,
  };
}

function filtered({ host, port, tcpError }: EndpointFacts): Diagnosis | undefined {
  if (tcpError === undefined) return undefined;
  return {
    code: "doctor/port-filtered",
    sentence: `${host} does not answer on port ${String(port)} (${tcpError === "ETIMEDOUT" ? "i/o timeout" : tcpError}): the machine is off, the address is not in this network, or a firewall drops the packets`,
    next: `ping ${host}; then open TCP port ${String(port)} between here and the control plane`,
  };
}

function otherProtocol({ host, port, tlsError, http2, certificate }: EndpointFacts): Diagnosis | undefined {
  if (tlsError === undefined && (http2 || certificate === undefined)) return undefined;
  const said =
    tlsError === undefined
      ? "TLS, but not HTTP/2"
      : `no TLS (${tlsError}; Go: first record does not look like a TLS handshake)`;
  return {
    code: "doctor/other-protocol",
    sentence: `What listens on port ${String(port)} of ${host} is not the API of a machine: it speaks ${said}`,
    next: `talosctl config endpoint ${host} (the API is on port 50000)`,
  };
}

function maintenance(endpoint: EndpointFacts): Diagnosis | undefined {
  if (!isInMaintenance(endpoint)) return undefined;
  const { host } = endpoint;
  return {
    code: "doctor/maintenance",
    sentence: `${host} is in maintenance mode: it has no configuration yet, so it trusts no client certificate (x509: certificate signed by unknown authority)`,
    next: `talosctl apply-config --insecure --nodes ${host} --file <config.yaml>`,
  };
}

function trusts(ca: string, certificate: Certificate, now: Date): boolean {
  try {
    // At a moment when both are valid: dates are another rule's matter.
    const at = certificate.notAfter < now || certificate.notBefore > now ? certificate.notBefore : now;
    verifyCertificate(certificate, { roots: parseCertificates(ca), at, usage: "serverAuth" });
    return true;
  } catch (err) {
    return isCode(err, "crypto/wrong-usage");
  }
}

function wrongAuthority({ host, certificate }: EndpointFacts, client: ClientFacts): Diagnosis | undefined {
  if (certificate === undefined || client.ca === undefined || trusts(client.ca, certificate, client.now))
    return undefined;
  const [fitting] = [...client.others].find(([, ca]) => trusts(ca, certificate, client.now)) ?? [];
  const [own] = parseCertificates(client.ca);
  const prints = `context "${client.context}" trusts the CA ${own === undefined ? "(none)" : publicKeyFingerprint(own)}, ${host} shows ${publicKeyFingerprint(certificate)}`;
  return {
    code: "doctor/wrong-ca",
    sentence: `${host} belongs to another cluster, or its CA was replaced: x509: certificate signed by unknown authority; ${prints}${fitting === undefined ? "" : `; context "${fitting}" fits`}`,
    next:
      fitting === undefined
        ? "talosctl --talosconfig <file that was generated with this cluster> config info"
        : `talosctl config context ${fitting}`,
  };
}

/** The distance between two clocks, in words: `3h 20m`. */
function distance(ms: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  return [days > 0 ? `${String(days)}d` : "", hours > 0 ? `${String(hours)}h` : "", `${String(minutes % 60)}m`]
    .filter((part) => part !== "")
    .join(" ");
}

function goExpiry(certificate: Certificate, now: Date): string {
  const when =
    now < certificate.notBefore ? `is before ${iso(certificate.notBefore)}` : `is after ${iso(certificate.notAfter)}`;
  return `x509: certificate has expired or is not yet valid: current time ${iso(now)} ${when}`;
}

function iso(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

function serverOutOfDate({ host, certificate }: EndpointFacts, { now }: ClientFacts): Diagnosis | undefined {
  if (certificate === undefined || (certificate.notBefore <= now && now <= certificate.notAfter)) return undefined;
  const early = now < certificate.notBefore;
  const skew = early ? certificate.notBefore.getTime() - now.getTime() : now.getTime() - certificate.notAfter.getTime();
  return {
    code: "doctor/server-dates",
    sentence: `The certificate of ${host} is ${early ? `not valid before ${iso(certificate.notBefore)}` : `out of date since ${iso(certificate.notAfter)}`} (${goExpiry(certificate, now)}); machines renew theirs every 12 hours, so the clocks are at least ${distance(skew)} apart: the one here is ${early ? "behind" : "ahead"}, or the machine's is wrong`,
    next: "date -u; then compare with the machine: talosctl time --nodes <another node>",
  };
}

function wrongName({ host, certificate }: EndpointFacts): Diagnosis | undefined {
  if (certificate === undefined || certificateCoversHost(certificate, host)) return undefined;
  const names = [...certificate.dnsNames, ...certificate.ipAddresses];
  const onlyLoopback = certificate.ipAddresses.every((address) => address === "127.0.0.1" || address === "::1");
  const overlap = onlyLoopback
    ? "; the machine found no address of its own: its subnet overlaps that of pods or services (see the diagnostic address-overlap)"
    : "";
  return {
    code: onlyLoopback ? "doctor/no-addresses" : "doctor/wrong-name",
    sentence: `${host} is not among the names of the certificate: x509: certificate is valid for ${names.join(", ")}, not ${host}${overlap}`,
    next: onlyLoopback
      ? "change cluster.network.podSubnets or serviceSubnets so that they do not contain the addresses of machines"
      : `talosctl --endpoints ${names.at(-1) ?? "<address>"} patch mc -p '{"machine":{"certSANs":["${host}"]}}'`,
  };
}

function clientOutOfDate(_: EndpointFacts, { certificate, context, now }: ClientFacts): Diagnosis | undefined {
  if (certificate === undefined || (certificate.notBefore <= now && now <= certificate.notAfter)) return undefined;
  const early = now < certificate.notBefore;
  return {
    code: "doctor/client-dates",
    sentence: `The client certificate of context "${context}" is ${early ? `not valid before ${iso(certificate.notBefore)}: the clock here is at least ${distance(certificate.notBefore.getTime() - now.getTime())} behind` : `out of date since ${iso(certificate.notAfter)}`} (remote error: tls: expired certificate)`,
    next: early ? "date -u" : `talosctl config renew --secrets secrets.yaml --context ${context}`,
  };
}

function refusedClient({ host, refusal }: EndpointFacts, { context, certificate }: ClientFacts): Diagnosis | undefined {
  if (refusal === undefined) return undefined;
  const go = goAlerts.find(([pattern]) => pattern.test(refusal))?.[1] ?? "remote error: tls: bad certificate";
  const why =
    certificate === undefined
      ? "shows no client certificate"
      : "has a client certificate of a CA that the machine does not trust";
  return {
    code: "doctor/refused-client",
    sentence: `${host} refuses the client: context "${context}" ${why} (${go})`,
    next: "talosctl config merge <talosconfig of this cluster>, or talosctl config renew --secrets secrets.yaml",
  };
}

/** TLS alerts of a server in the words of Go. */
const goAlerts: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/UNKNOWN_CA/, "remote error: tls: unknown certificate authority"],
  [/EXPIRED/, "remote error: tls: expired certificate"],
  [/CERTIFICATE_REQUIRED/, "remote error: tls: certificate required"],
  [/^closed$|ECONNRESET/, "connection reset by peer"],
];
