import { createBackoff, OsError, describeError, type Backoff, type Clock } from "@talos-ts/base";
import { RequeueAfter, weak, type Controller, type ControllerContext, type Resource } from "@talos-ts/cosi";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import {
  ApiCertificate,
  CertSAN,
  MaintenanceRootSecret,
  OSRootSecret,
  type ApiCertificateSpec,
  type CertSANSpec,
  type OSRootSecretSpec,
} from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { issueLeaf, createWorkerRequest } from "@talos-ts/machinery/secrets";
import { issuingController, type IssuePlan } from "./internal/issuing-controller.ts";
import { requestCertificate, type Signer } from "./internal/request-certificate.ts";

/** Half the life of the certificates. */
export const apiRefreshMs = 12 * 3_600_000;

export interface APIControllerOptions {
  readonly clock: Clock;
  /** @default {requestCertificate} */
  readonly signer?: Signer;
  /** Between attempts to have a request signed. @default half a second growing to five */
  readonly backoff?: Backoff;
}

type Planned = IssuePlan<ApiCertificateSpec> | "none" | undefined;

/**
 * Certificates of apid: a control plane machine issues its own, a worker asks trustd, and a machine without configuration
 * uses its maintenance authority and verifies nobody.
 */
export function apiCertificatesController(options: APIControllerOptions): Controller {
  const { clock, signer = requestCertificate } = options;
  const backoff = options.backoff ?? createBackoff({ initialMs: 500, maxMs: 5000, jitter: 0.2 });
  const now = (): Date => new Date(clock.now());

  async function planMaintenance(context: ControllerContext): Promise<Planned> {
    const root = await context.find(MaintenanceRootSecret, MaintenanceRootSecret.id);
    const sans = await context.find(CertSAN, CertSAN.ids.maintenance);
    const ca = root?.spec.ca;
    if (root === undefined || sans === undefined || ca === undefined) return undefined;
    return {
      basis: ["maintenance", root, sans],
      async issue() {
        const server = await issueLeaf("maintenanceServer", ca, names(sans.spec), { now: now() });
        return ApiCertificate.spec({ server, skipVerifyingClientCert: true });
      },
    };
  }

  async function planConfigured(context: ControllerContext, type: "controlplane" | "worker"): Promise<Planned> {
    const root = await context.find(OSRootSecret, OSRootSecret.id);
    if (root === undefined) return "none";
    const sans = await context.find(CertSAN, CertSAN.ids.api);
    if (sans === undefined) return undefined;
    const time = await context.find(TimeStatus, TimeStatus.id);
    const basis = [type, root, sans, `epoch ${String(time?.spec.epoch ?? 0)}`];
    if (type === "controlplane") return { basis, issue: () => issueOwn(root.spec, sans.spec) };
    const endpoints = mergeEndpoints(await context.list(Endpoint));
    if (endpoints.length === 0) return undefined;
    return { basis, issue: (current) => ask(context, root.spec, sans.spec, endpoints, current) };
  }

  async function issueOwn(root: OSRootSecretSpec, sans: CertSANSpec): Promise<ApiCertificateSpec> {
    const { issuingCA, acceptedCAs } = root;
    if (issuingCA === undefined) {
      throw new OsError({
        kind: "failed-precondition",
        code: "secrets/no-issuing-ca",
        message: "Cannot issue the certificates of apid: a control plane machine needs machine.ca with its key",
        next: "talosctl edit machineconfig",
      });
    }
    const server = await issueLeaf("apidServer", issuingCA, { fqdn: sans.fqdn, ...names(sans) }, { now: now() });
    const client = await issueLeaf("apidClient", issuingCA, { fqdn: sans.fqdn }, { now: now() });
    return ApiCertificate.spec({ server, client, acceptedCAs });
  }

  async function ask(
    context: ControllerContext,
    root: OSRootSecretSpec,
    sans: CertSANSpec,
    endpoints: readonly string[],
    current: ApiCertificateSpec | undefined,
  ): Promise<ApiCertificateSpec> {
    const { acceptedCAs, token } = root;
    const template = acceptedCAs.at(-1);
    if (template === undefined) {
      throw new OsError({ kind: "failed-precondition", code: "secrets/no-accepted-ca", message: "no accepted CAs" });
    }
    const { csr, key } = await createWorkerRequest(template.crt, { fqdn: sans.fqdn, ...names(sans) });
    context.logger.debug("sending CSR", { endpoints });
    const present = current?.skipVerifyingClientCert === false ? current.server : undefined;
    try {
      const { ca, crt } = await signer({ csr, endpoints, acceptedCAs, token, present, now: now() }, context.signal);
      backoff.reset();
      return ApiCertificate.spec({ server: { crt, key }, acceptedCAs: [{ crt: ca }] });
    } catch (err) {
      const message = `failed to sign API server CSR: ${describeError(err)}`;
      const cause = new OsError({ kind: OsError.from(err).kind, code: "secrets/csr-not-signed", message, cause: err });
      throw new RequeueAfter(backoff.next(), { cause });
    }
  }

  return issuingController({
    name: "secrets.APIController",
    inputs: [
      weak(NetworkStatus, { id: NetworkStatus.id }),
      weak(MachineType, { id: MachineType.id }),
      weak(OSRootSecret, { id: OSRootSecret.id }),
      weak(CertSAN),
      weak(TimeStatus, { id: TimeStatus.id }),
      weak(Endpoint),
      weak(MaintenanceRootSecret, { id: MaintenanceRootSecret.id }),
    ],
    output: ApiCertificate,
    clock,
    refreshMs: apiRefreshMs,
    async plan(context) {
      const network = await context.find(NetworkStatus, NetworkStatus.id);
      if (network?.spec.addressReady !== true) return undefined;
      const type = (await context.find(MachineType, MachineType.id))?.spec ?? "unknown";
      if (type !== "worker" && type !== "init" && type !== "controlplane") return await planMaintenance(context);
      const planned = await planConfigured(context, type === "worker" ? "worker" : "controlplane");
      if (planned !== undefined) return planned;
      // A machine that is configured verifies its callers, so what it had before that must not stay.
      const current = await context.find(ApiCertificate, ApiCertificate.id);
      return current?.spec.skipVerifyingClientCert === true ? "none" : undefined;
    },
  });
}

function names({ ips, dnsNames }: CertSANSpec): {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
} {
  return { dnsNames, ipAddresses: ips };
}

function mergeEndpoints(
  endpoints: readonly Resource<{ readonly addresses: readonly string[]; readonly hosts: readonly string[] }>[],
): readonly string[] {
  return [...new Set(endpoints.flatMap(({ spec }) => spec.addresses))];
}
