import { join } from "node:path";
import { describeError, isKind, OsError } from "@talos-ts/base";
import { readOptional } from "@talos-ts/host";
import {
  destroyReady,
  exclusive,
  pointerTo,
  reconcileController,
  weak,
  type Controller,
  type ControllerContext,
  type Logger,
} from "@talos-ts/cosi";
import type { Config } from "@talos-ts/machinery/config";
import { VolumeStatus } from "@talos-ts/machinery/resources/block";
import { MaintenanceServiceRequest } from "@talos-ts/machinery/resources/runtime";
import { AcquireConfigSpec, AcquireConfigStatus } from "@talos-ts/machinery/resources/v1alpha1";
import {
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
} from "@talos-ts/proto/machine/event";
import { systemVolumes } from "@talos-ts/machinery/constants";
import type { Platform } from "../../platform.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { ConfigStore } from "../../config-store.ts";
import { openSealed } from "../../config/config-file.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";
import { loadSource, type BrokenConfig, type LoadedSource } from "./internal/load-source.ts";

const name = "config.AcquireController";
const id = "machine-config";
const embeddedPath = "/usr/local/etc/talos/config.yaml";

/**
 * Describes where the search for a configuration stands:
 *
 * | state       | looks at                          | complete | partial     | none     | broken      |
 * |-------------|-----------------------------------|----------|-------------|----------|-------------|
 * | disk        | `config.yaml` on the STATE volume | done     | maintenance | embedded | maintenance |
 * | embedded    | the file in the image             | done     | platform    | platform | maintenance |
 * | platform    | what the platform brings          | done     | maintenance | maintenance | maintenance |
 * | maintenance | what a person uploads             | leave    | waits       | waits    |             |
 * | leave       | takes the maintenance request back, then done                                         |
 * | done        | tells the sequencer                                                                   |
 * | final       | nothing more                                                                          |
 */
type AcquireState = "disk" | "embedded" | "platform" | "enter" | "maintenance" | "leave" | "done" | "final";

/** The file as far as it can be read: a machine whose file cannot be needs its API more than any other. */
async function readFromDisk(
  path: string,
): Promise<{ readonly text: Uint8Array } | { readonly broken: BrokenConfig } | undefined> {
  const broken = (reason: string): { readonly broken: BrokenConfig } => ({
    broken: { hurdle: "load", message: `failed to load "config.yaml" from STATE: ${reason}` },
  });
  try {
    const bytes = await readOptional(path);
    if (bytes === undefined) return undefined;
    const opened = openSealed(bytes);
    return "damaged" in opened ? broken(opened.damaged) : opened;
  } catch (err) {
    return broken(describeError(err));
  }
}

/** Describes what a state found: a configuration to make active, and where to go on; without `next` it waits. */
interface Outcome {
  readonly next?: AcquireState;
  readonly config?: Config | undefined;
  readonly broken?: BrokenConfig;
}

export type AcquireOptions = {
  readonly platform: Platform;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly config: ConfigStore;
  readonly root: string;
};

/**
 * Finds the configuration of the machine.
 *
 * A configuration that is there but cannot be used leads to maintenance mode and not to another attempt: a person must
 * act, and there they can.
 */
export function acquireController({ platform, config: store, events, logger, root }: AcquireOptions): Controller {
  let state: AcquireState = "disk";
  /** Sources that the configuration came from; a state that is tried again names its source once. */
  const sources = new Set<string>();

  const onDisk = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    readOnly: true,
    root,
    work: (path) => readFromDisk(join(path, "config.yaml")),
  });

  /** Decides the next state from what a source gave. */
  function outcomeOf(
    source: string,
    loaded: LoadedSource | undefined,
    next: Record<"none" | "partial", AcquireState>,
  ): Outcome {
    if (loaded === undefined) return { next: next.none };
    if ("broken" in loaded) return { next: "enter", broken: loaded.broken };
    sources.add(source);
    return { next: loaded.config.main === undefined ? next.partial : "done", config: loaded.config };
  }

  const states: Readonly<Record<AcquireState, (context: ControllerContext) => Promise<Outcome>>> = {
    async disk(context) {
      const phase = (await context.find(VolumeStatus, systemVolumes.state))?.spec.phase;
      if (phase === "missing") return { next: "embedded" };
      if (phase !== "ready") return {};
      const found = await onDisk.step(context);
      if (found === undefined) return {};
      const text = { loading: '"config.yaml" from STATE', validating: "on-disk config" };
      // What an installed machine boots from needs no installation section.
      const mode = platform.mode === "container" ? "container" : "cloud";
      const loaded =
        found.value === undefined || "broken" in found.value
          ? found.value
          : loadSource(found.value.text, text, mode, context.logger);
      return outcomeOf("state", loaded, { none: "embedded", partial: "enter" });
    },
    async embedded(context) {
      const bytes = await readOptional(`${root}${embeddedPath}`);
      if (bytes !== undefined) context.logger.info("loading embedded config");
      const text = { loading: "config from embedded", validating: "embedded config" };
      const mode = platform.mode === "container" ? "container" : "cloud";
      const loaded = bytes && loadSource(bytes, text, mode, context.logger);
      return outcomeOf("embedded", loaded, { none: "platform", partial: "platform" });
    },
    async platform(context) {
      const fields = { platform: platform.name };
      context.logger.info("downloading config", fields);
      const text = {
        loading: `config via platform ${platform.name}`,
        validating: `config acquired via platform ${platform.name}`,
        fields,
      };
      const loaded = await fromPlatform(context, (bytes) => loadSource(bytes, text, platform.mode, context.logger));
      return outcomeOf(platform.name, loaded, { none: "enter", partial: "enter" });
    },
    async enter(context) {
      context.logger.info("entering maintenance service");
      events.publish(TaskEventSchema, { task: "runningMaintenance", action: TaskEvent_Action.START });
      return { next: "maintenance" };
    },
    async maintenance(context) {
      const spec = MaintenanceServiceRequest.spec({});
      await context.modify(MaintenanceServiceRequest, MaintenanceServiceRequest.id, () => spec);
      if ((await activeConfig(context))?.main === undefined) return {};
      sources.add("maintenance");
      return { next: "leave" };
    },
    async leave(context) {
      const request = pointerTo(MaintenanceServiceRequest, MaintenanceServiceRequest.id);
      if ((await context.find(MaintenanceServiceRequest, MaintenanceServiceRequest.id)) !== undefined) {
        if (!(await context.teardown(request))) return {};
        await context.destroy(request);
      }
      events.publish(TaskEventSchema, { task: "runningMaintenance", action: TaskEvent_Action.STOP });
      context.logger.info("leaving maintenance service");
      return { next: "done" };
    },
    async done(context) {
      await context.modify(AcquireConfigStatus, id, () => AcquireConfigStatus.spec({}));
      context.logger.info("machine config loaded successfully", { sources: [...sources] });
      return { next: "final" };
    },
    async final() {
      return {};
    },
  };

  /** Reads the configuration of the platform; one that does not even decode is as broken as one that does not parse. */
  async function fromPlatform(
    context: ControllerContext,
    load: (bytes: Uint8Array) => LoadedSource,
  ): Promise<LoadedSource | undefined> {
    try {
      const bytes = await platform.configuration(context.signal);
      return bytes === undefined ? undefined : load(bytes);
    } catch (err) {
      const message = `error acquiring via platform ${platform.name}: ${describeError(err)}`;
      if (isKind(err, "invalid-argument")) return { broken: { hurdle: "load", message } };
      events.publish(ConfigLoadErrorEventSchema, { error: message });
      throw new OsError({ kind: OsError.from(err).kind, code: "config/platform", message, cause: err });
    }
  }

  async function apply({ config, broken }: Outcome): Promise<void> {
    if (broken !== undefined) {
      const schema = broken.hurdle === "load" ? ConfigLoadErrorEventSchema : ConfigValidationErrorEventSchema;
      events.publish(schema, { error: broken.message });
      // Not as a failure of this controller, of which the console hides the first few: a person must see this one.
      logger.error("cannot use the machine config", { error: broken.message });
    }
    if (config === undefined) return;
    await store.activate(config);
    if (sources.size !== 1 || !sources.has("state")) await store.keep(config);
  }

  return reconcileController({
    name,
    inputs: [
      weak(AcquireConfigSpec, { id }),
      activeConfigInput,
      destroyReady(MaintenanceServiceRequest),
      weak(VolumeStatus, { id: systemVolumes.state }),
      ...mountedVolumeInputs(name, systemVolumes.state),
    ],
    outputs: [exclusive(AcquireConfigStatus), exclusive(MaintenanceServiceRequest), ...mountedVolumeOutputs],
    async reconcile(context) {
      if ((await context.find(AcquireConfigSpec, id)) === undefined) return;
      for (;;) {
        const outcome = await states[state](context);
        await apply(outcome);
        if (outcome.next === undefined) return;
        state = outcome.next;
      }
    },
  });
}
