import { OsError, type ErrorKind } from "@talos-ts/base";

type Advice = Readonly<Record<string, string>>;

const otherCluster =
  "talosctl --talosconfig <file that was generated with this cluster> …; `talosctl config contexts` lists what there is";

const unknownMachine = `a machine without configuration is asked with --insecure, as in talosctl get machinestatus --insecure; one of another cluster with ${otherCluster}`;

const noMethod = "nothing to change here: the system of the node does not have this method";

/** Advice for a connection that could not be made, by the code of the error. */
const connecting: Advice = {
  "grpc/connect":
    "talosctl config info; check that the endpoint is a control plane machine and that port 50000 is open",
  "grpc/connect-closed":
    "talosctl config info; a machine that hangs up has refused the certificate: it is of another cluster, or has expired",
  "grpc/connect-expired": "talosctl config info",
  "grpc/connect-refused-client": "talosctl config info; --insecure is for machines that have no configuration yet",
  "grpc/connect-rejected":
    "compare with the fingerprint on the machine's console: either it is another machine, or it has started anew since",
  "grpc/connect-untrusted": unknownMachine,
  "grpc/connect-untrusted-client": otherCluster,
};

/** By the code of this client's error; a status without a code, as servers in Go send it, has that of its kind. */
const local: Advice = { ...connecting, "grpc/unimplemented": noMethod };

/** By the code that the far end sent. A connection that failed there is that of the endpoint to the node. */
const remote: Advice = {
  ...Object.fromEntries(
    Object.keys(connecting).map((code) => [
      code,
      "talosctl get members (lists the machines of the cluster and their addresses)",
    ]),
  ),
  "apid/no-forwarding": "talosctl config endpoint <control plane address>; a worker answers for itself alone",
  "grpc/unimplemented": noMethod,
};

/** Fallback by the kind of the error. */
const byKind: Readonly<Partial<Record<ErrorKind, string>>> = {
  "permission-denied": "talosctl config info (shows your roles)",
  unauthenticated: "talosctl config info (shows your roles)",
};

/** Gives the command to run next after a failure: what the error names itself, else by its code, else by its kind. */
export function nextStep(err: unknown): string | undefined {
  const { next, code, kind, details } = OsError.from(err);
  if (next !== undefined) return next;
  const remoteCode = details["remoteCode"];
  return (typeof remoteCode === "string" ? remote[remoteCode] : local[code]) ?? byKind[kind];
}
