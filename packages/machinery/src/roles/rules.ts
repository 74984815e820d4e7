import { OsError } from "@talos-ts/base";
import { includesAny, roles, type RoleSet } from "./role.ts";

const { admin, operator, reader, etcdBackup, imageVerifier, metaWriter } = roles;

const readers = [admin, operator, reader];
const operators = [admin, operator];

/** Group of callers → methods they may call. A method that is not here is for `os:admin` alone. */
const groups: readonly { readonly roles: readonly string[]; readonly methods: readonly string[] }[] = [
  {
    roles: readers,
    methods: [
      "/cluster.ClusterService/HealthCheck",
      "/cosi.resource.State/Get",
      "/cosi.resource.State/List",
      "/cosi.resource.State/Watch",
      "/grpc.health.v1.Health/Check",
      "/grpc.health.v1.Health/Watch",
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
      "/inspect.InspectService/ControllerRuntimeDependencies",
      "/machine.ImageService/List",
      "/machine.MachineService/CPUFreqStats",
      "/machine.MachineService/CPUInfo",
      "/machine.MachineService/Containers",
      "/machine.MachineService/DiskStats",
      "/machine.MachineService/DiskUsage",
      "/machine.MachineService/Dmesg",
      "/machine.MachineService/Events",
      "/machine.MachineService/Hostname",
      "/machine.MachineService/ImageList",
      "/machine.MachineService/List",
      "/machine.MachineService/LoadAvg",
      "/machine.MachineService/Logs",
      "/machine.MachineService/LogsContainers",
      "/machine.MachineService/Memory",
      "/machine.MachineService/Mounts",
      "/machine.MachineService/Netstat",
      "/machine.MachineService/NetworkDeviceStats",
      "/machine.MachineService/Processes",
      "/machine.MachineService/ServiceList",
      "/machine.MachineService/Stats",
      "/machine.MachineService/SystemStat",
      "/machine.MachineService/Version",
      "/storage.StorageService/Disks",
      "/time.TimeService/Time",
      "/time.TimeService/TimeCheck",
    ],
  },
  {
    roles: [...readers, etcdBackup],
    methods: [
      "/machine.MachineService/EtcdAlarmList",
      "/machine.MachineService/EtcdMemberList",
      "/machine.MachineService/EtcdStatus",
    ],
  },
  { roles: [...operators, etcdBackup], methods: ["/machine.MachineService/EtcdSnapshot"] },
  { roles: [...readers, imageVerifier], methods: ["/machine.ImageService/Verify"] },
  {
    roles: operators,
    methods: [
      "/machine.ImageService/Pull",
      "/machine.MachineService/EtcdAlarmDisarm",
      "/machine.MachineService/EtcdDefragment",
      "/machine.MachineService/ImagePull",
      "/machine.MachineService/PacketCapture",
      "/machine.MachineService/Reboot",
      "/machine.MachineService/Restart",
      "/machine.MachineService/ServiceRestart",
      "/machine.MachineService/ServiceStart",
      "/machine.MachineService/ServiceStop",
      "/machine.MachineService/Shutdown",
      "/operation.OperationService/Report",
      "/recovery.EtcdRecoveryService/Inspect",
      "/recovery.EtcdRecoveryService/Rehearse",
    ],
  },
  {
    roles: [admin, metaWriter],
    methods: ["/machine.MachineService/MetaDelete", "/machine.MachineService/MetaWrite"],
  },
  // A reader passes only while the machine has no complete configuration; the handlers check that part.
  {
    roles: [admin, reader],
    methods: ["/machine.MachineService/ApplyConfiguration", "/storage.StorageService/BlockDeviceWipe"],
  },
];

const rules: ReadonlyMap<string, readonly string[]> = new Map(
  groups.flatMap((group) => group.methods.map((method) => [method, group.roles] as const)),
);

/** Roles of which one is enough to call the method (`/package.Service/Method`). */
export function rolesFor(method: string): readonly string[] {
  return rules.get(method) ?? [admin];
}

/** The refusal of a caller; the text is the same for all, so that it tells nothing about what is refused. */
export function notAuthorized(details: Readonly<Record<string, unknown>> = {}): OsError {
  return new OsError({
    kind: "permission-denied",
    code: "roles/not-authorized",
    message: "not authorized",
    next: "talosctl config info",
    details,
  });
}

/** @throws permission denied */
export function authorize(method: string, caller: RoleSet): void {
  if (includesAny(caller, rolesFor(method))) return;
  throw notAuthorized({ method, required: rolesFor(method), roles: [...caller] });
}
