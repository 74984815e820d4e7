import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apiServices } from "../api-services/index.ts";
import { authorize, roles, rolesFor, roleSet } from "./index.ts";

const methods = apiServices.flatMap((service) =>
  service.methods.map((method) => `/${service.typeName}/${method.name}`),
);

/** Letters: a admin, o operator, r reader, e etcd backup, v image verifier, m meta writer. Unlisted methods: admin only. */
const expected: Readonly<Record<string, string>> = {
  HealthCheck: "aor",
  Check: "aor",
  ServerReflectionInfo: "aor",
  ControllerRuntimeDependencies: "aor",
  Disks: "aor",
  Time: "aor",
  TimeCheck: "aor",
  Get: "aor",
  Watch: "aor",
  List: "aor",
  Verify: "aorv",
  CPUInfo: "aor",
  CPUFreqStats: "aor",
  Containers: "aor",
  DiskStats: "aor",
  DiskUsage: "aor",
  Dmesg: "aor",
  Events: "aor",
  Hostname: "aor",
  ImageList: "aor",
  LoadAvg: "aor",
  Logs: "aor",
  LogsContainers: "aor",
  Memory: "aor",
  Mounts: "aor",
  NetworkDeviceStats: "aor",
  Netstat: "aor",
  Processes: "aor",
  ServiceList: "aor",
  Stats: "aor",
  SystemStat: "aor",
  Version: "aor",
  EtcdAlarmList: "aore",
  EtcdMemberList: "aore",
  EtcdStatus: "aore",
  EtcdSnapshot: "aoe",
  EtcdAlarmDisarm: "ao",
  EtcdDefragment: "ao",
  ImagePull: "ao",
  Pull: "ao",
  PacketCapture: "ao",
  Reboot: "ao",
  Restart: "ao",
  ServiceRestart: "ao",
  ServiceStart: "ao",
  ServiceStop: "ao",
  Shutdown: "ao",
  Report: "ao",
  Inspect: "ao",
  Rehearse: "ao",
  MetaWrite: "am",
  MetaDelete: "am",
  ApplyConfiguration: "ar",
  BlockDeviceWipe: "ar",
};
const letters: Readonly<Record<string, string>> = {
  a: roles.admin,
  o: roles.operator,
  r: roles.reader,
  e: roles.etcdBackup,
  v: roles.imageVerifier,
  m: roles.metaWriter,
  i: roles.impersonator,
};

describe("authorize()", () => {
  it("knows only methods that exist", () => {
    for (const method of methods) assert.ok(rolesFor(method).length > 0);
    assert.ok(methods.length > 70);
  });
  for (const method of methods) {
    const allowed = expected[method.split("/").at(-1) ?? ""] ?? "a";
    it(`${method} is open to ${allowed} and to nobody else`, () => {
      for (const [letter, role] of Object.entries(letters)) {
        const call = (): void => authorize(method, roleSet(role));
        if (allowed.includes(letter)) call();
        else assert.throws(call, { message: "not authorized", kind: "permission-denied" }, role);
      }
    });
  }
  it("refuses a method nobody described to everyone but the administrator", () => {
    authorize("/machine.MachineService/FromTheFuture", roleSet(roles.admin));
    assert.throws(() => authorize("/machine.MachineService/FromTheFuture", roleSet(roles.operator, roles.reader)));
  });
});
