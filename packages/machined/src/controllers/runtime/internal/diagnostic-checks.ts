import { weak, type Input, type Reader } from "@talos-ts/cosi";
import { NetworkProblem, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertificateStatus } from "@talos-ts/machinery/resources/secrets";
import {
  KernelParamSpec,
  KernelParamStatus,
  SettingProblem,
  type DiagnosticSpec,
} from "@talos-ts/machinery/resources/runtime";
import { podSubnets, serviceSubnets } from "../../internal/cluster-networks.ts";
import { activeConfig, activeConfigInput } from "../../internal/config-resource.ts";

/** Something that can be wrong with a machine although nothing fails, and that a person must put right. */
export interface DiagnosticCheck {
  readonly id: string;
  /** Time that it must be so before it is shown: much is wrong for a moment while a machine boots. */
  readonly hysteresisMs: number;
  readonly inputs: readonly Input[];
  /** Returns what is wrong, or nothing. */
  check(reader: Reader): Promise<DiagnosticSpec | undefined>;
}

const addressOverlap: DiagnosticCheck = {
  id: "address-overlap",
  hysteresisMs: 30_000,
  inputs: [weak(NodeAddress), activeConfigInput],
  async check(reader) {
    const routed = (await reader.find(NodeAddress, "routed"))?.spec.addresses ?? [];
    const own = (await reader.find(NodeAddress, "routed-no-k8s"))?.spec.addresses;
    const config = await activeConfig(reader);
    if (own === undefined || config === undefined || routed.length === 0 || own.length > 0) return undefined;
    const { cluster } = config;
    const subnets =
      cluster === undefined
        ? []
        : [
            `Kubernetes pod CIDRs: ${quoted(podSubnets(cluster))}`,
            `Kubernetes service CIDRs: ${quoted(serviceSubnets(cluster))}`,
          ];
    return {
      message: "host and Kubernetes pod/service CIDR addresses overlap",
      details: [`host routed addresses: ${quoted(routed)}`, ...subnets],
    };
  },
};

const networkProblems: DiagnosticCheck = {
  id: "network-not-applied",
  hysteresisMs: 15_000,
  inputs: [weak(NetworkProblem)],
  async check(reader) {
    const problems = await reader.list(NetworkProblem);
    if (problems.length === 0) return undefined;
    return {
      message: "parts of the network configuration cannot be applied",
      details: problems.map(({ spec }) => `${spec.subject}: ${spec.reason}`),
    };
  },
};

const settingProblems: DiagnosticCheck = {
  id: "settings-not-applied",
  hysteresisMs: 30_000,
  inputs: [weak(SettingProblem), weak(KernelParamSpec), weak(KernelParamStatus)],
  async check(reader) {
    const problems = await reader.list(SettingProblem);
    const wanted = new Set((await reader.list(KernelParamSpec)).map(({ metadata }) => metadata.id));
    const parameters = (await reader.list(KernelParamStatus)).filter(
      ({ metadata, spec }) => spec.unsupported && wanted.has(metadata.id),
    );
    const details = [
      ...problems.map(({ spec }) => `${spec.setting}: ${spec.reason}`),
      ...parameters.map(({ metadata }) => `kernel parameter ${metadata.id}: the kernel does not have it`),
    ];
    if (details.length === 0) return undefined;
    return { message: "parts of the configuration cannot be applied on this machine", details };
  },
};

const day = 86_400_000;

/** Share of its life that a certificate has left when it should long have been renewed, and the most that is worth a warning. */
const expiryShare = 0.25;
const expiryMs = 30 * day;

/** A check that a certificate ends soon: those of a machine are renewed at half of their life, so none ever should. */
function certificateExpiry(now: () => number): DiagnosticCheck {
  return {
    id: "certificate-expiry",
    hysteresisMs: 60_000,
    inputs: [weak(CertificateStatus)],
    async check(reader) {
      const ending = (await reader.list(CertificateStatus)).flatMap(({ metadata, spec }) => {
        const [from, until] = [Date.parse(spec.notBefore), Date.parse(spec.notAfter)];
        const leftMs = until - now();
        if (leftMs > Math.min(expiryMs, (until - from) * expiryShare)) return [];
        return [`${metadata.id}: ${spec.subject} ${leftMs < 0 ? "has ended" : "ends"} on ${spec.notAfter}`];
      });
      return ending.length === 0 ? undefined : { message: "certificates are about to expire", details: ending };
    },
  };
}

function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

/** Every check; certificates are compared with the time that `now` gives, in ms since the epoch. */
export function diagnosticChecks(now: () => number): readonly DiagnosticCheck[] {
  return [addressOverlap, networkProblems, settingProblems, certificateExpiry(now)];
}
