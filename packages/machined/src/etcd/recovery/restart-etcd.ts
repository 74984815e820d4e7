import { etcdService } from "../../services/definitions/etcd.ts";
import type { RecoveryDependencies } from "./inspect-member.ts";

/** Starts etcd as after a reboot: with its data, or else as a machine that joins, whatever it was started as before. */
export async function restartEtcd(machine: RecoveryDependencies): Promise<void> {
  const { services } = machine;
  await services.unload("etcd");
  services.load(etcdService(machine));
  services.start("etcd");
}
