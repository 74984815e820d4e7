import { createResource, type Resource } from "@talos-ts/cosi";
import { systemClock, type Clock } from "@talos-ts/base";
import { createMemoryLinux, type MemoryLinux } from "@talos-ts/linux/memory";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import type { Platform } from "../../platform.ts";

// What the controller tests of several domains start from.

/** A machine in a container, as far as controllers of networks, files and volumes reach it. */
export interface TestMachine {
  readonly platform: Platform;
  readonly clock: Clock;
  /** Prefix of every path. */
  readonly root: string;
  readonly linux: MemoryLinux;
}

export function testMachine(
  options: { readonly root?: string; readonly platform?: Partial<Platform> } = {},
): TestMachine {
  return {
    linux: createMemoryLinux(),
    clock: systemClock,
    root: options.root ?? "",
    platform: {
      name: "container",
      mode: "container",
      configuration: async () => undefined,
      network: async () => ({ hostname: undefined, resolvers: [], instanceType: undefined }),
      ...options.platform,
    },
  };
}

/** The active configuration made of such documents. */
export function machineConfig(...documents: readonly string[]): Resource {
  return createResource(MachineConfig, MachineConfig.ids.active, documents.join("---\n"));
}

/** A main document with these lines below `machine:`. */
export function mainDocument(...lines: readonly string[]): string {
  return `version: v1alpha1\nmachine:\n  type: worker\n${lines.map((line) => `  ${line}\n`).join("")}cluster: {}\n`;
}
