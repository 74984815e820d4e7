import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Role of a machine in the cluster. */
export const machineType = enumOf("Type", { unknown: 0, init: 1, controlplane: 2, worker: 3 });

export type MachineTypeName = ValueOf<typeof machineType>;

/** Stage of a machine. */
export const machineStage = enumOf("MachineStage", {
  unknown: 0,
  booting: 1,
  installing: 2,
  maintenance: 3,
  running: 4,
  rebooting: 5,
  "shutting down": 6,
  resetting: 7,
  upgrading: 8,
});

export type MachineStage = ValueOf<typeof machineStage>;

/** Reports whether SELinux is on and enforced. */
export const selinuxState = enumOf("SELinuxState", { disabled: 0, "enabled, permissive": 1, "enabled, enforcing": 2 });

export type SelinuxState = ValueOf<typeof selinuxState>;

/** Reports whether FIPS cryptography is on and enforced. */
export const fipsState = enumOf("FIPSState", { disabled: 0, enabled: 1, "enabled, strict": 2 });

export type FipsState = ValueOf<typeof fipsState>;
