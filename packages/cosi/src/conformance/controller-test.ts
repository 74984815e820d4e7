import type { Controller, QueueController } from "../controller.ts";
import { createInMemoryState } from "../in-memory.ts";
import type { Resource, ResourceType } from "../resource.ts";
import { createRuntime, type Runtime, type RuntimeOptions, type StopReport } from "../runtime/runtime.ts";
import type { ControllerStatus } from "../runtime/status.ts";
import { waitUntilQuiet } from "../runtime/wait-until-quiet.ts";
import type { State } from "../state.ts";
import { updateTyped } from "../typed.ts";
import { wrapCore } from "../wrap-core.ts";
import { assertNoResource, assertResource, assertSpec, assertStatus, type WaitOptions } from "./assert-resource.ts";
import { createRecordingLogger, type LogLine } from "./recording-logger.ts";

/** Settings of `controllerTest`. */
export interface ControllerTestOptions extends Partial<Omit<RuntimeOptions, "state" | "logger">> {
  readonly register?: readonly (Controller | QueueController)[];
  /** @default a fresh in-memory state */
  readonly state?: State;
}

/** A state, a running runtime, and assertions on both. Disposing stops the runtime. */
export interface ControllerTest extends AsyncDisposable {
  readonly state: State;
  readonly runtime: Runtime;
  readonly logs: readonly LogLine[];
  /** Creates resources, as users do unless they name an owner. */
  create(...resources: readonly Resource[]): Promise<void>;
  /** Changes the spec of a resource on behalf of its owner. */
  update<S>(type: ResourceType<S>, id: string, change: (spec: S) => S, namespace?: string): Promise<void>;
  /** Tears the resource down, waits until nobody holds it, destroys it. */
  remove(resource: Resource): Promise<void>;
  assertResource<S>(
    type: ResourceType<S>,
    id: string,
    check?: (resource: Resource<S>) => void,
    options?: WaitOptions,
  ): Promise<Resource<S>>;
  assertSpec<S>(type: ResourceType<S>, id: string, spec: S, options?: WaitOptions): Promise<Resource<S>>;
  assertNoResource(type: ResourceType<unknown>, id: string, options?: WaitOptions): Promise<void>;
  assertStatus(name: string, check: (status: ControllerStatus) => void): Promise<ControllerStatus>;
  /** Waits until every controller waits and stays so. Only for states in this process, whose events need no time. */
  settled(): Promise<void>;
  stop(): Promise<StopReport>;
}

/** Creates a state and starts a runtime with the controllers under test. */
export function controllerTest({
  register = [],
  state: given,
  ...options
}: ControllerTestOptions = {}): ControllerTest {
  const state = given ?? wrapCore(createInMemoryState(options.clock === undefined ? {} : { clock: options.clock }));
  const logger = createRecordingLogger();
  const runtime = createRuntime({ ...options, state, logger });
  runtime.register(...register);
  runtime.start();

  return {
    state,
    runtime,
    logs: logger.lines,
    async create(...resources) {
      for (const resource of resources) await state.create(resource, { owner: resource.metadata.owner });
    },
    async update(type, id, change, namespace = type.namespace) {
      const { metadata } = await state.get({ namespace, type: type.type, id });
      await updateTyped(state, type, id, change, { namespace, owner: metadata.owner });
    },
    remove: ({ metadata }) => state.teardownAndDestroy(metadata, { owner: metadata.owner }),
    assertResource: (type, id, check, wait) => assertResource(state, type, id, check, wait),
    assertSpec: (type, id, spec, wait) => assertSpec(state, type, id, spec, wait),
    assertNoResource: (type, id, wait) => assertNoResource(state, type, id, wait),
    assertStatus: (name, check) => assertStatus(runtime, name, check),
    settled: () => waitUntilQuiet(runtime),
    stop: () => runtime.stop(),
    async [Symbol.asyncDispose]() {
      await runtime.stop();
    },
  };
}
