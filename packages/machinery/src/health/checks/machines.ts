import { kindOf, type Resource } from "@talos-ts/cosi";
import {
  Diagnostic,
  MachineStatus,
  type DiagnosticSpec,
  type MachineStatusSpec,
} from "../../resources/runtime/index.ts";
import { allNodes, type HealthCheck } from "../check.ts";
import { unmet } from "../failure.ts";

const mebibyte = 1024 ** 2;
/** Memory that the kernel and the firmware keep for themselves. */
const reserved = 150 * mebibyte;
const leastMemory = { controlPlane: 1848 * mebibyte - reserved, worker: 1024 * mebibyte - reserved } as const;
const leastDisk = 6 * 1024 ** 3;
const ephemeral = "/var";

export const memorySizes: HealthCheck = {
  name: "all nodes memory sizes",
  async check(subject, signal) {
    for (const [type, nodes] of [
      ["controlPlane", subject.controlPlanes],
      ["worker", subject.workers],
    ] as const) {
      for (const node of nodes) {
        const { messages } = await subject.machine(node).memory({}, { signal });
        const bytes = Number(messages[0]?.meminfo?.memtotal ?? 0n) * 1024;
        if (bytes >= leastMemory[type]) continue;
        const sizes = `${inMebibytes(bytes)} of memory, at least ${inMebibytes(leastMemory[type])} are needed`;
        throw unmet(`${node} has ${sizes}`, `talosctl --nodes ${node} memory`);
      }
    }
  },
};

export const diskSizes: HealthCheck = {
  name: "all nodes disk sizes",
  async check(subject, signal) {
    for (const node of allNodes(subject)) {
      const { messages } = await subject.machine(node).mounts({}, { signal });
      const mount = messages.flatMap(({ stats }) => stats).find(({ mountedOn }) => mountedOn === ephemeral);
      if (mount === undefined || Number(mount.size) >= leastDisk) continue;
      const sizes = `${inMebibytes(Number(mount.size))}, at least ${inMebibytes(leastDisk)} are needed`;
      throw unmet(`the disk of ${ephemeral} on ${node} has ${sizes}`, `talosctl --nodes ${node} mounts`);
    }
  },
};

export const noDiagnostics: HealthCheck = {
  name: "no diagnostics",
  async check(subject, _signal) {
    for (const node of allNodes(subject)) {
      const found = (await subject.resources(node).list(kindOf(Diagnostic))) as readonly Resource<DiagnosticSpec>[];
      const [first] = found;
      if (first === undefined) continue;
      const details = first.spec.details.join("; ");
      throw unmet(
        `${node}: ${first.metadata.id}: ${first.spec.message}${details === "" ? "" : ` (${details})`}`,
        `talosctl --nodes ${node} get diagnostics -o yaml`,
      );
    }
  },
};

export const bootFinished: HealthCheck = {
  name: "all nodes to finish boot sequence",
  async check(subject, _signal) {
    for (const node of allNodes(subject)) {
      const pointer = { ...kindOf(MachineStatus), id: MachineStatus.id };
      const { spec } = (await subject.resources(node).get(pointer)) as Resource<MachineStatusSpec>;
      if (spec.stage === "running") continue;
      const unmetTexts = spec.status.unmetConditions.map(({ name, reason }) => `${name}: ${reason}`);
      throw unmet(
        `${node} is in stage "${spec.stage}"${unmetTexts.length === 0 ? "" : `, waiting on ${unmetTexts.join("; ")}`}`,
        `talosctl --nodes ${node} get machinestatus -o yaml`,
      );
    }
  },
};

function inMebibytes(bytes: number): string {
  return `${String(Math.round(bytes / mebibyte))} MiB`;
}
