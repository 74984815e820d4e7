import { describeError, OsError } from "@talos-ts/base";

/** What to try after failures that name no next command themselves: the first line whose test holds. */
const steps: readonly (readonly [test: (error: OsError, text: string) => boolean, next: string])[] = [
  [
    (_, text) => /self-signed certificate|unable to (?:get|verify)|unknown authority|unknown ca\b/i.test(text),
    "talosctl --talosconfig <file that was generated with this cluster> …; `talosctl config contexts` lists what there is",
  ],
  [
    (_, text) => text.includes("doesn't match the provided fingerprints"),
    "compare with the fingerprint on the machine's console: either it is another machine, or it has started anew since",
  ],
  [(_, text) => /certificate has expired|certificate expired/i.test(text), "talosctl config info"],
  [
    (_, text) => /certificate required|bad certificate/i.test(text),
    "talosctl config info; --insecure is for machines that have no configuration yet",
  ],
  [
    ({ code }, text) => code === "grpc/connect" && text.includes("the connection closed"),
    "talosctl config info; a machine that hangs up has refused the certificate: it is of another cluster, or has expired",
  ],
  [
    ({ code }) => code === "grpc/connect",
    "talosctl config info; check that the endpoint is a control plane machine and that port 50000 is open",
  ],
  [
    (_, text) => text.includes("no request forwarding"),
    "talosctl config endpoint <control plane address>; a worker answers for itself alone",
  ],
  [(_, text) => /operation via API/.test(text), "talosctl services"],
  [({ kind }) => kind === "permission-denied" || kind === "unauthenticated", "talosctl config info (shows your roles)"],
  // Not our own connection, so it is that of the endpoint to the node.
  [
    ({ kind }, text) => kind === "unavailable" && text.includes("Cannot connect to"),
    "talosctl get members (lists the machines of the cluster and their addresses)",
  ],
  // As servers in TypeScript and in Go say it; other things that are not implemented have nothing to do with versions.
  [
    ({ kind }, text) =>
      kind === "unimplemented" && /method \S+ (?:is )?not implemented|unknown (?:method|service) /i.test(text),
    "talosctl version (this node's version does not have the method)",
  ],
];

/** The command to run next after this failure, if one is known. */
export function nextStep(err: unknown): string | undefined {
  const error = OsError.from(err);
  if (error.next !== undefined) return error.next;
  const text = describeError(err);
  return steps.find(([test]) => test(error, text))?.[1];
}
