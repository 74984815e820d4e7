import { OsError } from "@talos-ts/base";
import type { Input, QueueInput } from "../controller.ts";
import type { Kind, Pointer } from "../resource.ts";

/** Errors of controllers that do what their declaration does not allow, or that a runtime cannot take. */

function describeKind(kind: Kind): string {
  return `${kind.type}(${kind.namespace})`;
}

function describeInput(input: Input | QueueInput): string {
  return `${input.type}(${input.namespace}/${input.id ?? "*"})`;
}

export function duplicateController(name: string): OsError {
  return new OsError({
    kind: "already-exists",
    code: "runtime/duplicate-controller",
    message: `Cannot register controller "${name}": a controller of that name is already registered`,
    details: { controller: name },
  });
}

export function outputTaken(name: string, type: string, other: string, mode: "exclusive" | "shared"): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "runtime/output-taken",
    message: `Cannot register controller "${name}": resource "${type}" is already managed in ${mode} mode by "${other}"`,
    details: { controller: name, type, other, mode },
  });
}

export function duplicateOutput(name: string, type: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "runtime/duplicate-output",
    message: `Cannot register controller "${name}": it declares output "${type}" twice`,
    details: { controller: name, type },
  });
}

export function duplicateInput(name: string, input: Input | QueueInput): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "runtime/duplicate-input",
    message: `Cannot take the inputs of controller "${name}": it declares ${describeInput(input)} twice`,
    details: { controller: name, namespace: input.namespace, type: input.type, id: input.id },
  });
}

export function undeclaredRead(name: string, kind: Kind, id?: string): OsError {
  const what = id === undefined ? `list ${describeKind(kind)}` : `read ${kind.type}(${kind.namespace}/${id})`;
  return new OsError({
    kind: "permission-denied",
    code: "runtime/undeclared-read",
    message: `Cannot ${what}: it is neither an input nor an output of controller "${name}"`,
    details: { controller: name, namespace: kind.namespace, type: kind.type, id },
  });
}

export function undeclaredWrite(name: string, verb: string, pointer: Pointer): OsError {
  const target = `${pointer.type}(${pointer.namespace}/${pointer.id})`;
  return new OsError({
    kind: "permission-denied",
    code: "runtime/undeclared-write",
    message: `Cannot ${verb} ${target}: "${pointer.type}" is not an output of controller "${name}"`,
    details: { controller: name, verb, namespace: pointer.namespace, type: pointer.type, id: pointer.id },
  });
}

export function undeclaredFinalizer(name: string, pointer: Pointer): OsError {
  const target = `${pointer.type}(${pointer.namespace}/${pointer.id})`;
  return new OsError({
    kind: "permission-denied",
    code: "runtime/undeclared-finalizer",
    message: `Cannot change finalizers of ${target}: it is not a strong input of controller "${name}"`,
    details: { controller: name, namespace: pointer.namespace, type: pointer.type, id: pointer.id },
  });
}

export function contextClosed(name: string): OsError {
  return new OsError({
    kind: "cancelled",
    code: "runtime/context-closed",
    message: `Cannot use the context of controller "${name}": the run it belongs to has ended`,
    details: { controller: name },
  });
}

export function notPrimary(name: string, pointer: Pointer): OsError {
  return new OsError({
    kind: "internal",
    code: "runtime/not-primary",
    message: `Cannot queue ${pointer.type}(${pointer.namespace}/${pointer.id}): mapInput of controller "${name}" must return its primary inputs`,
    details: { controller: name, namespace: pointer.namespace, type: pointer.type, id: pointer.id },
  });
}

export function alreadyStarted(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "runtime/already-started",
    message: "Cannot start the controller runtime: it was already started",
  });
}

/** Several inputs failed in one reconcile: one message that names each, the first as the cause. */
export function severalFailed(name: string, failures: readonly OsError[]): OsError {
  const [first] = failures;
  if (first !== undefined && failures.length === 1) return first;
  return new OsError({
    kind: first?.kind ?? "unknown",
    code: first?.code ?? "unknown",
    message: `Controller "${name}" failed on ${failures.length} inputs: ${failures.map((err) => err.message).join("; ")}`,
    details: { controller: name, codes: failures.map((err) => err.code) },
    cause: first,
  });
}
