import assert from "node:assert/strict";
import { isCode } from "@talos-ts/base";
import type { ControllerContext } from "../controller.ts";
import { isOwnerConflict } from "../errors.ts";
import { createResource, pointerTo } from "../resource.ts";
import { destroyReady, exclusive, primary, shared, strong, weak } from "../runtime/declare.ts";
import { bareController, runtimeCriterion } from "./runtime-fixtures.ts";
import { group, note, notePointer, noteType, otherType, type StateSubject } from "./state-fixtures.ts";

const idle = (): Promise<void> => Promise.resolve();

/** Runs `attempt` inside a controller and resolves to what it threw. */
function probe(attempt: (context: ControllerContext) => Promise<unknown>): {
  readonly thrown: Promise<unknown>;
  readonly run: (context: ControllerContext) => Promise<void>;
} {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return {
    thrown: promise,
    run: (context) =>
      attempt(context).then(
        () => resolve(undefined),
        (err: unknown) => resolve(err),
      ),
  };
}

/** Tests which controllers may join a runtime, and what those that joined may do. */
export function runtimeAccessCriteria(subject: StateSubject): void {
  group("register()", () => {
    runtimeCriterion(subject, "refuses a second controller of the same name", {}, async ({ runtime }) => {
      runtime.register(bareController("a", {}, idle));
      assert.throws(() => runtime.register(bareController("a", {}, idle)), { code: "runtime/duplicate-controller" });
    });
    runtimeCriterion(subject, "refuses two exclusive owners of a type", {}, async ({ runtime }) => {
      runtime.register(bareController("a", { outputs: [exclusive(noteType)] }, idle));
      assert.throws(() => runtime.register(bareController("b", { outputs: [exclusive(noteType)] }, idle)), {
        code: "runtime/output-taken",
        message: `Cannot register controller "b": resource "${noteType.type}" is already managed in exclusive mode by "a"`,
      });
    });
    runtimeCriterion(subject, "refuses to mix shared and exclusive", {}, async ({ runtime }) => {
      runtime.register(bareController("a", { outputs: [shared(noteType)] }, idle));
      runtime.register(bareController("b", { outputs: [shared(noteType)] }, idle));
      assert.throws(() => runtime.register(bareController("c", { outputs: [exclusive(noteType)] }, idle)), {
        code: "runtime/output-taken",
        details: { controller: "c", type: noteType.type, other: "a", mode: "shared" },
      });
      runtime.register(bareController("c", {}, idle));
    });
    runtimeCriterion(subject, "refuses what is declared twice", {}, async ({ runtime }) => {
      const inputs = [weak(noteType), strong(noteType)];
      assert.throws(() => runtime.register(bareController("a", { inputs }, idle)), { code: "runtime/duplicate-input" });
      const outputs = [shared(noteType), shared(noteType)];
      assert.throws(() => runtime.register(bareController("a", { outputs }, idle)), {
        code: "runtime/duplicate-output",
      });
      runtime.register(bareController("a", { inputs: [weak(noteType), weak(noteType, { id: "x" })] }, idle));
    });
  });

  group("dependencies()", () => {
    runtimeCriterion(subject, "lists every edge, outputs first", {}, async ({ runtime }) => {
      runtime.register(
        bareController("b", { inputs: [weak(noteType, { id: "x" }), destroyReady(otherType)] }, idle),
        bareController("a", { inputs: [strong(noteType)], outputs: [exclusive(otherType)] }, idle),
        { name: "q", inputs: [primary(noteType)], outputs: [shared(noteType)], reconcile: idle },
      );
      assert.deepEqual(
        runtime.dependencies().map((edge) => `${edge.edgeKind} ${edge.controllerName} ${edge.resourceId}`.trim()),
        [
          "output-exclusive a",
          "output-shared q",
          "input-strong a",
          "input-weak b x",
          "input-destroy-ready b",
          "input-primary q",
        ],
      );
    });
  });

  group("access", () => {
    const refused: readonly (readonly [string, string, (context: ControllerContext) => Promise<unknown>])[] = [
      ["reads an undeclared kind", "runtime/undeclared-read", (c) => c.find(otherType, "a")],
      ["reads another id than declared", "runtime/undeclared-read", (c) => c.get(noteType, "b")],
      ["lists what it may only read by id", "runtime/undeclared-read", (c) => c.list(noteType)],
      ["writes an undeclared type", "runtime/undeclared-write", (c) => c.create(note("a"))],
      ["modifies an undeclared type", "runtime/undeclared-write", (c) => c.modify(noteType, "a", () => note("a").spec)],
      ["tears down an undeclared type", "runtime/undeclared-write", (c) => c.teardown(notePointer("a"))],
      ["destroys an undeclared type", "runtime/undeclared-write", (c) => c.destroy(notePointer("a"))],
      ["holds a weak input", "runtime/undeclared-finalizer", (c) => c.addFinalizer(notePointer("a"), "me")],
    ];
    for (const [what, code, attempt] of refused) {
      runtimeCriterion(subject, `is refused to a controller that ${what}`, {}, async ({ runtime }) => {
        const { thrown, run } = probe(attempt);
        runtime.register(bareController("me", { inputs: [weak(noteType, { id: "a" })] }, run));
        const error = await thrown;
        assert.ok(isCode(error, code), String(error));
      });
    }
    runtimeCriterion(subject, "to resources of another owner is refused", {}, async (test) => {
      await test.create(note("a", {}, { owner: "somebody" }));
      const { thrown, run } = probe((context) => context.modify(noteType, "a", () => note("a", { count: 1 }).spec));
      test.runtime.register(bareController("me", { outputs: [shared(noteType)] }, run));
      const error = await thrown;
      assert.ok(isOwnerConflict(error), String(error));
    });
    runtimeCriterion(subject, "ends with the run", {}, async (test) => {
      const { promise, resolve } = Promise.withResolvers<ControllerContext>();
      test.runtime.register(
        bareController("me", { outputs: [exclusive(otherType)] }, async (context) => resolve(context)),
      );
      const context = await promise;
      await test.assertStatus("me", ({ state }) => assert.equal(state, "finished"));
      await assert.rejects(context.create(createResource(otherType, "late", note("late").spec)), {
        code: "runtime/context-closed",
      });
      await assert.rejects(context.destroy(pointerTo(otherType, "late")), { code: "runtime/context-closed" });
    });
  });
}
