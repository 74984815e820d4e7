import { it } from "node:test";
import type { Controller, ControllerContext, Input, Output } from "../controller.ts";
import type { StateSubject } from "./state-fixtures.ts";
import { controllerTest, type ControllerTest, type ControllerTestOptions } from "./controller-test.ts";

/** Declares one criterion with a runtime over a fresh state. The limit only turns a hang into a failure. */
export function runtimeCriterion(
  subject: StateSubject,
  name: string,
  options: Omit<ControllerTestOptions, "state">,
  check: (test: ControllerTest) => Promise<void>,
): void {
  void it(name, { timeout: 30_000 }, async () => {
    await using harness = await subject.open({
      clock: { now: () => 1_700_000_000_000, monotonic: () => 0, sleep: () => Promise.resolve() },
      historyCapacity: 1024,
      historyGap: 4,
    });
    await using test = controllerTest({ ...options, state: harness.state });
    await check(test);
  });
}

/** A controller from its `run`, for criteria about the runtime itself. */
export function bareController(
  name: string,
  { inputs = [], outputs = [] }: { readonly inputs?: readonly Input[]; readonly outputs?: readonly Output[] },
  run: (context: ControllerContext) => Promise<void>,
): Controller {
  return { name, inputs, outputs, run };
}

/** Something a test waits for and a controller causes. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
