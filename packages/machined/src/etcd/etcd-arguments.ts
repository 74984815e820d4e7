import { join } from "node:path";
import { etcdClientPort, etcdPeerPort, paths } from "@talos-ts/machinery/constants";
import type { EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { denyArguments, mergeArguments, renderArguments, type Arguments } from "../command-line/arguments.ts";
import { memberUrls } from "./member-urls.ts";

/** Describes how a member without data begins: as the only one of a new cluster, or as one more of an existing cluster. */
export interface InitialCluster {
  readonly state: "new" | "existing";
  /** `name=url` of every member, this one included. */
  readonly members: readonly string[];
}

/**
 * Makes the command line of etcd.
 *
 * @param initial Only for a member without data. Extra arguments may set these flags themselves.
 * @throws {OsError} `arguments/denied` when an extra argument is one that the machine must choose
 */
export function etcdArguments(spec: EtcdSpecSpec, initial: InitialCluster | undefined): readonly string[] {
  const extra: Arguments = Object.fromEntries(
    Object.entries(spec.extraArgs).map(([name, { values }]) => [name, values]),
  );
  const fixed = fixedArguments(spec);
  return renderArguments(
    mergeArguments({ ...fixed, ...defaultArguments(spec, initial) }, extra, denyArguments(Object.keys(fixed))),
  );
}

/** Identity, addresses and certificates: with other values the machine would lose its etcd. */
function fixedArguments(spec: EtcdSpecSpec): Arguments {
  const pki = (name: string): readonly string[] => [join(paths.etcdPki, name)];
  const urls = (addresses: readonly string[], port: number): readonly string[] => [
    memberUrls(addresses, port).join(","),
  ];
  return {
    name: [spec.name],
    "auto-tls": ["false"],
    "peer-auto-tls": ["false"],
    "data-dir": [paths.etcdData],
    "listen-peer-urls": urls(spec.listenPeerAddresses, etcdPeerPort),
    "listen-client-urls": urls(spec.listenClientAddresses, etcdClientPort),
    "client-cert-auth": ["true"],
    "cert-file": pki("server.crt"),
    "key-file": pki("server.key"),
    "trusted-ca-file": pki("ca.crt"),
    "peer-client-cert-auth": ["true"],
    "peer-cert-file": pki("peer.crt"),
    "peer-key-file": pki("peer.key"),
    "peer-trusted-ca-file": pki("ca.crt"),
    "experimental-initial-corrupt-check": ["true"],
    "experimental-watch-progress-notify-interval": ["5s"],
    "experimental-compact-hash-check-enabled": ["true"],
  };
}

function defaultArguments(spec: EtcdSpecSpec, initial: InitialCluster | undefined): Arguments {
  return {
    "advertise-client-urls": [memberUrls(spec.advertisedAddresses, etcdClientPort).join(",")],
    "initial-advertise-peer-urls": [memberUrls(spec.advertisedAddresses, etcdPeerPort).join(",")],
    ...(initial !== undefined && {
      "initial-cluster": [initial.members.join(",")],
      "initial-cluster-state": [initial.state],
    }),
  };
}

/** The beginning of a cluster whose only member is this machine. */
export function newCluster(spec: EtcdSpecSpec): InitialCluster {
  return {
    state: "new",
    members: memberUrls(spec.advertisedAddresses, etcdPeerPort).map((url) => `${spec.name}=${url}`),
  };
}
