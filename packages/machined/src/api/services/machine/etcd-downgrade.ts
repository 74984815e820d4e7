import { OsError } from "@talos-ts/base";
import { DowngradeRequest_DowngradeAction as DowngradeAction } from "@talos-ts/proto/etcd/rpc";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import type { MachineMethod } from "./method.ts";

/** Asks whether the storage could be of this version. */
export const etcdDowngradeValidate =
  (machine: EtcdCallDependencies): MachineMethod<"etcdDowngradeValidate"> =>
  ({ version }, { signal }) =>
    downgrade(machine, "validate", DowngradeAction.VALIDATE, version, signal);

/** Begins to make the storage one of this version. */
export const etcdDowngradeEnable =
  (machine: EtcdCallDependencies): MachineMethod<"etcdDowngradeEnable"> =>
  ({ version }, { signal }) =>
    downgrade(machine, "enable", DowngradeAction.ENABLE, version, signal);

export const etcdDowngradeCancel =
  (machine: EtcdCallDependencies): MachineMethod<"etcdDowngradeCancel"> =>
  (_request, { signal }) =>
    downgrade(machine, "cancel", DowngradeAction.CANCEL, undefined, signal);

async function downgrade(
  machine: EtcdCallDependencies,
  name: string,
  action: DowngradeAction,
  version: string | undefined,
  signal: AbortSignal,
) {
  const api = `etcd downgrade ${name}`;
  await requireControlPlane(machine, api);
  if (version !== undefined) checkVersion(version);
  const answer = await callEtcd(machine, { api, failure: `failed to ${name} etcd downgrade` }, (client) =>
    client.maintenance.downgrade({ action, version: version ?? "" }, { signal }),
  );
  return { messages: [{ clusterDowngrade: { clusterVersion: answer.version } }] };
}

/** Problems that a version may have, in the order in which they are looked for. */
const problems: readonly (readonly [text: string, isWrong: (version: string) => boolean])[] = [
  ["version is required for etcd downgrade", (version) => version === ""],
  ["version should be in MAJOR.MINOR format", (version) => version.split(".").length !== 2],
  ["major version should be a number", (version) => !/^\d+\./.test(version)],
  ["minor version should be a number", (version) => !/\.\d+$/.test(version)],
  ["etcd downgrade is only supported to 3.5 and later versions", (version) => !isSupported(version)],
];

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 3 || (major === 3 && minor >= 5);
}

function checkVersion(version: string): void {
  const problem = problems.find(([, isWrong]) => isWrong(version));
  if (problem === undefined) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "etcd/bad-version",
    message: problem[0],
    next: "talosctl etcd downgrade validate 3.5",
  });
}
