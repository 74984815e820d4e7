/** Describes what a machine is in its cluster. `init` is the oldest form of a control plane node. */
export type MachineTypeName = "init" | "controlplane" | "worker" | "unknown";

const types: Readonly<Record<string, MachineTypeName>> = {
  init: "init",
  controlplane: "controlplane",
  worker: "worker",
  join: "worker",
  "": "worker",
};

/** Reads a machine type; text that is none gives `unknown`. */
export function parseMachineType(text: string | undefined): MachineTypeName {
  return types[text ?? ""] ?? "unknown";
}

/** Reports whether a machine type runs the control plane. */
export function isControlPlane(type: MachineTypeName): boolean {
  return type === "init" || type === "controlplane";
}
