/** Describes what a machine is in its cluster. `init` is the oldest form of a control plane node. */
export type MachineType = "init" | "controlplane" | "worker" | "unknown";

const types: Readonly<Record<string, MachineType>> = {
  init: "init",
  controlplane: "controlplane",
  worker: "worker",
  join: "worker",
  "": "worker",
};

/** Reads a machine type; text that is none gives `unknown`. */
export function machineType(text: string | undefined): MachineType {
  return types[text ?? ""] ?? "unknown";
}

/** Reports whether a machine type runs the control plane. */
export function isControlPlane(type: MachineType): boolean {
  return type === "init" || type === "controlplane";
}
