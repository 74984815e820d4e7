import { OsError, systemClock, timeLimit, type Clock } from "@talos-ts/base";
import {
  createResource,
  findTyped,
  pointerTo,
  updateTyped,
  watchForTyped,
  type Resource,
  type State,
} from "@talos-ts/cosi";
import { configText, type Config } from "@talos-ts/machinery/config";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { VolumeStatus } from "@talos-ts/machinery/resources/block";
import { ConfigPersistStatus, MachineConfig, type ConfigPersistStatusSpec } from "@talos-ts/machinery/resources/config";
import type { ConfigStore } from "../config-store.ts";
import { parsedConfig, rememberConfig } from "./parsed-config.ts";

/** Time for a configuration to reach the disk, in ms: emulated machines are slow to mount one. */
const persistTimeoutMs = 60_000;

/** Creates a store whose only memory is the state: `MachineConfig` resources, which controllers watch. */
export function createConfigStore(state: State, clock: Clock = systemClock): ConfigStore {
  const { persistent } = MachineConfig.ids;

  /** Resolves to the version of the resource. */
  async function put(id: string, text: string): Promise<number> {
    const stored = await findTyped(state, MachineConfig, id);
    const resource =
      stored === undefined
        ? await state.create(createResource(MachineConfig, id, text, { annotations: { "talos.dev/yaml-spec": "1" } }))
        : await updateTyped(state, MachineConfig, id, () => text);
    return resource.metadata.version;
  }

  async function putConfig(id: string, config: Config): Promise<number> {
    rememberConfig(config);
    return put(id, configText(config));
  }

  /** Waits for what the controller says of a version: nothing when it is on disk, else the reason. */
  async function outcomeOf(version: number): Promise<string> {
    const status = await told(({ written, failed }) => written >= version || failed >= version);
    if (status === undefined) return `the STATE volume took longer than ${String(persistTimeoutMs)} ms`;
    return status.written >= version ? "" : status.error;
  }

  async function told(test: (spec: ConfigPersistStatusSpec) => boolean): Promise<ConfigPersistStatusSpec | undefined> {
    using limit = timeLimit(persistTimeoutMs, { clock });
    const condition = { test: ({ spec }: Resource<ConfigPersistStatusSpec>) => test(spec) };
    const options = { signal: limit.signal };
    const watching = watchForTyped(state, ConfigPersistStatus, ConfigPersistStatus.id, condition, options);
    return limit.race(watching).then(
      ({ spec }) => spec,
      () => undefined,
    );
  }

  /** Puts back what was there before a configuration that could not be written. */
  async function takeBack(before: string | undefined): Promise<void> {
    if (before !== undefined) {
      await put(persistent, before);
      return;
    }
    await state.destroy(pointerTo(MachineConfig, persistent));
    await told(({ failed }) => failed === 0);
  }

  return {
    async current() {
      const active = await findTyped(state, MachineConfig, MachineConfig.ids.active);
      return active?.metadata.phase === "running" ? parsedConfig(active) : undefined;
    },
    async activate(config) {
      await putConfig(MachineConfig.ids.active, config);
    },
    async keep(config) {
      await putConfig(persistent, config);
    },
    async persist(config) {
      const before = await findTyped(state, MachineConfig, persistent);
      const version = await putConfig(persistent, config);
      // A machine that is not installed yet has no disk for it; it is written as soon as there is one.
      if ((await findTyped(state, VolumeStatus, systemVolumes.state))?.spec.phase === "missing") return;
      const reason = await outcomeOf(version);
      if (reason === "") return;
      await takeBack(before?.spec);
      throw new OsError({
        kind: "unavailable",
        code: "config/not-persisted",
        message: `Cannot persist the configuration: ${reason}`,
        next: "talosctl get configpersiststatuses -o yaml",
      });
    },
  };
}
