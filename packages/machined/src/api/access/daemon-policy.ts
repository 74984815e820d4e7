import { OsError } from "@talos-ts/base";
import { readVerbs, type StateAccess } from "@talos-ts/cosi";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { APIServiceConfig } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate, OSRootSecret, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";

export type DaemonName = "apid" | "trustd";

interface Grant {
  readonly type: { readonly type: string; readonly namespace: string };
  /** Only this resource. @default all of the kind */
  readonly id?: string;
}

/** Resource types that each daemon may read. */
const daemonGrants: Readonly<Record<DaemonName, readonly Grant[]>> = {
  apid: [
    { type: APIServiceConfig, id: "apid" },
    { type: ApiCertificate, id: "api" },
    { type: NodeAddress },
    { type: HostnameStatus },
  ],
  trustd: [{ type: TrustdCertificate }, { type: OSRootSecret, id: "os" }],
};

/** @throws permission denied, with the texts the daemons' documentation names */
export function daemonPolicy(daemon: DaemonName): (access: StateAccess) => void {
  const grants = daemonGrants[daemon];
  return (access) => {
    if (!readVerbs.has(access.verb)) throw denied("write access denied");
    const granted = grants.some(
      ({ type, id }) =>
        type.type === access.type && type.namespace === access.namespace && (id === undefined || id === access.id),
    );
    if (!granted) throw denied("access denied");
  };
}

function denied(message: string): OsError {
  return new OsError({ kind: "permission-denied", code: "state/daemon-access", message });
}
