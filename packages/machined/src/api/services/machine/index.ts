import type { ServiceImpl } from "@talos-ts/grpc";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import { bootstrap } from "./bootstrap.ts";
import { containers } from "./containers.ts";
import { copy } from "./copy.ts";
import { cpuFreqStats } from "./cpu-freq-stats.ts";
import { cpuInfo } from "./cpu-info.ts";
import { diskStats } from "./disk-stats.ts";
import { diskUsage } from "./disk-usage.ts";
import { dmesg } from "./dmesg.ts";
import { etcdAlarmDisarm } from "./etcd-alarm-disarm.ts";
import { etcdAlarmList } from "./etcd-alarm-list.ts";
import { etcdDefragment } from "./etcd-defragment.ts";
import { etcdDowngradeCancel, etcdDowngradeEnable, etcdDowngradeValidate } from "./etcd-downgrade.ts";
import { etcdForfeitLeadership } from "./etcd-forfeit-leadership.ts";
import { etcdLeaveCluster } from "./etcd-leave-cluster.ts";
import { etcdMemberList } from "./etcd-member-list.ts";
import { etcdRecover } from "./etcd-recover.ts";
import { etcdRemoveMemberByID } from "./etcd-remove-member-by-id.ts";
import { etcdSnapshot } from "./etcd-snapshot.ts";
import { etcdStatus } from "./etcd-status.ts";
import { events } from "./events.ts";
import { generateClientConfiguration } from "./generate-client-configuration.ts";
import { hostname } from "./hostname.ts";
import { imageList } from "./image-list.ts";
import { imagePull } from "./image-pull.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { list } from "./list.ts";
import { loadAvg } from "./load-avg.ts";
import { logsContainers } from "./logs-containers.ts";
import { logs } from "./logs.ts";
import { memory } from "./memory.ts";
import { metaDelete } from "./meta-delete.ts";
import { metaWrite } from "./meta-write.ts";
import { mounts } from "./mounts.ts";
import { netstat } from "./netstat.ts";
import { networkDeviceStats } from "./network-device-stats.ts";
import { packetCapture } from "./packet-capture.ts";
import { processes } from "./processes.ts";
import { read } from "./read.ts";
import { reboot } from "./reboot.ts";
import { reset } from "./reset.ts";
import { restart } from "./restart.ts";
import { rollback } from "./rollback.ts";
import { serviceList } from "./service-list.ts";
import { serviceRestart } from "./service-restart.ts";
import { serviceStart } from "./service-start.ts";
import { serviceStop } from "./service-stop.ts";
import { shutdown } from "./shutdown.ts";
import { stats } from "./stats.ts";
import { systemStat } from "./system-stat.ts";
import { upgrade } from "./upgrade.ts";
import { version } from "./version.ts";

/** Every method of the machine service that this node has; the others answer "unimplemented". */
export function machineService(machine: ApiDependencies): ServiceImpl<typeof MachineService> {
  return {
    applyConfiguration: applyConfiguration(machine),
    bootstrap: bootstrap(machine),
    cPUFreqStats: cpuFreqStats(machine),
    cPUInfo: cpuInfo(machine),
    containers: containers(machine),
    copy: copy(machine),
    diskStats: diskStats(machine),
    diskUsage: diskUsage(machine),
    dmesg: dmesg(machine),
    etcdAlarmDisarm: etcdAlarmDisarm(machine),
    etcdAlarmList: etcdAlarmList(machine),
    etcdDefragment: etcdDefragment(machine),
    etcdDowngradeCancel: etcdDowngradeCancel(machine),
    etcdDowngradeEnable: etcdDowngradeEnable(machine),
    etcdDowngradeValidate: etcdDowngradeValidate(machine),
    etcdForfeitLeadership: etcdForfeitLeadership(machine),
    etcdLeaveCluster: etcdLeaveCluster(machine),
    etcdMemberList: etcdMemberList(machine),
    etcdRecover: etcdRecover(machine),
    etcdRemoveMemberByID: etcdRemoveMemberByID(machine),
    etcdSnapshot: etcdSnapshot(machine),
    etcdStatus: etcdStatus(machine),
    events: events(machine),
    generateClientConfiguration: generateClientConfiguration(machine),
    hostname: hostname(machine),
    imageList: imageList(machine),
    imagePull: imagePull(machine),
    kubeconfig: kubeconfig(machine),
    list: list(machine),
    loadAvg: loadAvg(machine),
    logs: logs(machine),
    logsContainers: logsContainers(machine),
    memory: memory(machine),
    metaDelete: metaDelete(machine),
    metaWrite: metaWrite(machine),
    mounts: mounts(machine),
    netstat: netstat(machine),
    networkDeviceStats: networkDeviceStats(machine),
    packetCapture: packetCapture(machine),
    processes: processes(machine),
    read: read(machine),
    reboot: reboot(machine),
    reset: reset(machine),
    restart: restart(machine),
    rollback: rollback(machine),
    serviceList: serviceList(machine),
    serviceRestart: serviceRestart(machine),
    serviceStart: serviceStart(machine),
    serviceStop: serviceStop(machine),
    shutdown: shutdown(machine),
    stats: stats(machine),
    systemStat: systemStat(machine),
    upgrade: upgrade(machine),
    version: version(machine),
  };
}
