import type { ExtKeyUsage, KeyUsage, NameInit, SubjectAltNames } from "@talos-ts/crypto";
import { roles } from "../roles/index.ts";
import type { RootName } from "./roots.ts";

const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;
const decade = 87_600 * hour;

/** One kind of certificate; `I` is what issuing one needs to know. */
export interface LeafRow<I> {
  readonly root: RootName;
  readonly subject: (input: I) => NameInit;
  readonly sans: (input: I) => SubjectAltNames;
  readonly keyUsages: readonly KeyUsage[];
  readonly extKeyUsages: readonly ExtKeyUsage[];
  readonly lifetimeMs: number;
  /** Time by which the certificate starts earlier, for peers whose clocks are behind. @default {0} */
  readonly backdateMs?: number;
}

/** A server known by its names: the FQDN goes into the subject. */
export interface ServerInput extends SubjectAltNames {
  readonly fqdn: string;
}

/** An etcd member: the addresses of the node, its hostname and all its names. */
export interface EtcdInput extends SubjectAltNames {
  readonly hostname: string;
}

const row = <I = void>(value: LeafRow<I>): LeafRow<I> => value;
const noNames = (): SubjectAltNames => ({ dnsNames: [], ipAddresses: [] });
const given = ({ dnsNames, ipAddresses }: SubjectAltNames): SubjectAltNames => ({ dnsNames, ipAddresses });
const withLocalhost = ({ dnsNames, ipAddresses }: SubjectAltNames): SubjectAltNames => ({
  dnsNames: [...dnsNames, "localhost"],
  ipAddresses: [...ipAddresses, "127.0.0.1", "::1"],
});

const signing: readonly KeyUsage[] = ["digitalSignature"];
const signingAndEncipherment: readonly KeyUsage[] = ["digitalSignature", "keyEncipherment"];
const serverAuth: readonly ExtKeyUsage[] = ["serverAuth"];
const clientAuth: readonly ExtKeyUsage[] = ["clientAuth"];
const bothAuth: readonly ExtKeyUsage[] = ["serverAuth", "clientAuth"];

const etcdMember = {
  root: "etcd",
  keyUsages: signingAndEncipherment,
  extKeyUsages: bothAuth,
  lifetimeMs: decade,
} as const;
const etcdClient = {
  root: "etcd",
  keyUsages: signingAndEncipherment,
  extKeyUsages: clientAuth,
  lifetimeMs: decade,
} as const;
const k8sClient = {
  root: "k8s",
  keyUsages: signingAndEncipherment,
  extKeyUsages: clientAuth,
  lifetimeMs: year,
} as const;
/** Client certificates inside kubeconfigs, which may be used at once on another machine. */
const kubeconfig = { ...k8sClient, backdateMs: 10 * second, sans: noNames } as const;

const component = (name: string): LeafRow<void> =>
  row({ ...kubeconfig, subject: () => ({ commonName: name, organizations: [name] }) });

/** Every certificate the system issues, one row each. Lifetimes are defaults a caller may override. */
export const leaves = {
  /** apid as a server, issued by a control plane machine for itself. */
  apidServer: row<ServerInput>({
    root: "os",
    subject: ({ fqdn }) => ({ commonName: fqdn }),
    sans: given,
    keyUsages: signing,
    extKeyUsages: serverAuth,
    lifetimeMs: day,
  }),
  /** apid of a control plane machine calling the apid of another machine on behalf of a user. */
  apidClient: row<{ readonly fqdn: string }>({
    root: "os",
    subject: ({ fqdn }) => ({ commonName: fqdn, organizations: [roles.impersonator] }),
    sans: noNames,
    keyUsages: signing,
    extKeyUsages: clientAuth,
    lifetimeMs: day,
  }),
  /** apid before the machine has a config. */
  maintenanceServer: row<SubjectAltNames>({
    root: "maintenance",
    subject: () => ({ commonName: "maintenance-service.talos.dev" }),
    sans: given,
    keyUsages: signing,
    extKeyUsages: serverAuth,
    lifetimeMs: day,
  }),
  trustdServer: row<ServerInput>({
    root: "os",
    subject: ({ fqdn }) => ({ commonName: fqdn }),
    sans: given,
    keyUsages: signingAndEncipherment,
    extKeyUsages: serverAuth,
    lifetimeMs: day,
  }),
  /** A person's access to the machine API; the organizations are the roles. */
  talosconfig: row<{ readonly roles: Iterable<string> }>({
    root: "os",
    subject: (input) => ({ organizations: [...new Set(input.roles)].toSorted() }),
    sans: noNames,
    keyUsages: signing,
    extKeyUsages: clientAuth,
    lifetimeMs: year,
  }),
  etcdServer: row<EtcdInput>({
    ...etcdMember,
    subject: ({ hostname }) => ({ commonName: hostname }),
    sans: withLocalhost,
  }),
  etcdPeer: row<EtcdInput>({ ...etcdMember, subject: ({ hostname }) => ({ commonName: hostname }), sans: given }),
  etcdAdmin: row({ ...etcdClient, subject: () => ({ commonName: "talos" }), sans: noNames }),
  etcdApiServer: row({ ...etcdClient, subject: () => ({ commonName: "kube-apiserver" }), sans: noNames }),
  apiServer: row<SubjectAltNames>({
    root: "k8s",
    subject: () => ({ commonName: "kube-apiserver", organizations: ["kube-master"] }),
    sans: given,
    keyUsages: signingAndEncipherment,
    extKeyUsages: serverAuth,
    lifetimeMs: year,
  }),
  apiServerKubeletClient: row({
    ...k8sClient,
    subject: () => ({ commonName: "apiserver-kubelet-client", organizations: ["system:masters"] }),
    sans: noNames,
  }),
  frontProxy: row({
    ...k8sClient,
    root: "k8sAggregator",
    subject: () => ({ commonName: "front-proxy-client" }),
    sans: noNames,
  }),
  controllerManager: component("system:kube-controller-manager"),
  scheduler: component("system:kube-scheduler"),
  /** Kubernetes access of the machine's own controllers. */
  internalAdmin: row({
    ...kubeconfig,
    subject: () => ({ commonName: "talos:admin", organizations: ["system:masters"] }),
  }),
  /** Kubernetes access of a person, made by `talosctl kubeconfig`. */
  userAdmin: row({ ...kubeconfig, subject: () => ({ commonName: "admin", organizations: ["system:masters"] }) }),
} as const;

export type LeafName = keyof typeof leaves;
/** Describes what issuing this kind of certificate needs to know; `void` where nothing. */
export type LeafInput<N extends LeafName> = (typeof leaves)[N] extends LeafRow<infer I> ? I : never;
