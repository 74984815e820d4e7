import { setImmediate as turn } from "node:timers/promises";
import { createManualClock, systemClock, type OsError } from "@talos-ts/base";
import {
  createInMemoryState,
  createResource,
  createRuntime,
  findTyped,
  updateTyped,
  wrapCore,
  type Controller,
  type ControllerStatus,
  type Kind,
  type Output,
  type Resource,
  type State,
} from "@talos-ts/cosi";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { createLogger } from "../logs/logger.ts";
import { copyResources } from "./copy-resources.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

const stopTimeoutMs = 1;

/** Describes what controllers made of a configuration. */
export interface Outcome {
  /** Their outputs that are in use. */
  readonly outputs: readonly Resource[];
  /** Controllers that cannot work with it, and why. */
  readonly failures: ReadonlyMap<string, OsError>;
}

/** Controllers on a copy of the resources, away from the machine. */
export interface DryRun extends AsyncDisposable {
  /** Makes a configuration the active one, and resolves when every controller is done with it. */
  apply(configText: string | undefined): Promise<Outcome>;
}

export interface DryRunOptions {
  readonly state: State;
  readonly controllers: readonly Controller[];
  readonly signal: AbortSignal;
}

export async function createDryRun({ state, controllers, signal }: DryRunOptions): Promise<DryRun> {
  const copy = wrapCore(createInMemoryState());
  const kinds = kindsOf(controllers);
  await copyResources(state, copy, kinds);
  const clock = createManualClock(systemClock.now());
  const runtime = createRuntime({ state: copy, logger: createLogger([]), clock, stopTimeoutMs });
  runtime.register(...controllers);
  const names = new Set(controllers.map(({ name }) => name));
  let started = false;

  return {
    async apply(configText) {
      await putConfig(copy, configText);
      if (!started) runtime.start();
      started = true;
      await waitUntilIdle(runtime, clock, signal);
      const all = (await Promise.all(kinds.map((kind) => copy.list(kind)))).flat();
      return {
        outputs: all.filter(({ metadata }) => names.has(metadata.owner) && metadata.phase === "running"),
        failures: new Map(runtime.status().flatMap(failureOf)),
      };
    },
    async [Symbol.asyncDispose]() {
      const stopped = runtime.stop();
      await turn();
      await clock.advance(stopTimeoutMs);
      await stopped;
    },
  };
}

function failureOf({ name, state, lastError }: ControllerStatus): readonly (readonly [string, OsError])[] {
  const failing = state === "backing-off" || state === "failed";
  return failing && lastError !== undefined ? [[name, lastError.error]] : [];
}

/** Everything controllers read or write, each kind once. */
function kindsOf(controllers: readonly Controller[]): readonly Kind[] {
  const declared = controllers.flatMap(({ inputs, outputs }): readonly Kind[] => [
    ...inputs,
    ...outputs.filter(isKind),
  ]);
  const kinds = declared.map(({ namespace, type }) => [`${namespace}/${type}`, { namespace, type }] as const);
  return [...new Map(kinds).values()];
}

/** Those who write it down with `exclusive` or `shared` say where their outputs go. */
function isKind(output: Output): output is Output & Kind {
  return "namespace" in output;
}

async function putConfig(state: State, text: string | undefined): Promise<void> {
  const present = await findTyped(state, MachineConfig, MachineConfig.ids.active);
  if (text !== undefined && present === undefined) {
    await state.create(createResource(MachineConfig, MachineConfig.ids.active, text));
  } else if (text !== undefined) await updateTyped(state, MachineConfig, MachineConfig.ids.active, () => text);
  else if (present !== undefined) await state.destroy(present.metadata);
}
