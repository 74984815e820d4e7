import type { Input, InputKind, Output, OutputKind, QueueInput } from "../controller.ts";
import type { Kind, ResourceType } from "../resource.ts";

// How controllers write down what they read and write: `inputs: [weak(Hostname), strong(LinkSpec)]`.

/** Narrows an input to a namespace or one resource. */
export interface InputScope {
  /** @default the type's own */
  readonly namespace?: string;
  /** Only this resource. @default every resource of the kind */
  readonly id?: string;
}

function input(kind: InputKind): (type: ResourceType<unknown>, scope?: InputScope) => Input {
  return (type, { namespace = type.namespace, ...id } = {}) => ({ namespace, type: type.type, ...id, kind });
}

function queueInput(kind: QueueInput["kind"]): (type: ResourceType<unknown>, scope?: InputScope) => QueueInput {
  return (type, { namespace = type.namespace, ...id } = {}) => ({ namespace, type: type.type, ...id, kind });
}

/** Declares an input whose changes wake the controller; it may not add finalizers. */
export const weak = input("weak");
/** Declares an input to which the controller may add finalizers. */
export const strong = input("strong");
/** Declares an input that wakes the controller only when a resource can be destroyed. */
export const destroyReady = input("destroy-ready");
/** Declares the input whose resources are the items of a queue controller. */
export const primary = queueInput("primary");
/** Declares an input of a queue controller whose changes are mapped to items. */
export const mapped = queueInput("mapped");
/** Declares a mapped input that counts only when a resource can be destroyed. */
export const mappedDestroyReady = queueInput("mapped-destroy-ready");

/** An output together with where it goes, for controllers that clean up after themselves. */
export interface DeclaredOutput extends Output, Kind {
  readonly resourceType: ResourceType<unknown>;
}

function output(kind: OutputKind): (type: ResourceType<unknown>, namespace?: string) => DeclaredOutput {
  return (type, namespace = type.namespace) => ({ type: type.type, namespace, kind, resourceType: type });
}

/** Declares an output that only this controller writes. */
export const exclusive = output("exclusive");
/** Declares an output that several controllers write, each its own resources. */
export const shared = output("shared");

/**
 * The inputs, and `destroy-ready` inputs for those of these kinds that are not inputs anyway: a controller that tears
 * down an output somebody holds must hear when that one lets go.
 */
export function withDestroyReady(inputs: readonly Input[], kinds: readonly Kind[]): readonly Input[] {
  const missing = kinds.filter(
    ({ namespace, type }) =>
      !inputs.some((other) => other.id === undefined && other.namespace === namespace && other.type === type),
  );
  return [...inputs, ...missing.map(({ namespace, type }): Input => ({ namespace, type, kind: "destroy-ready" }))];
}
