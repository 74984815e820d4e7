import type { Input, InputKind, Output, OutputKind, QueueInput } from "../controller.ts";
import type { Kind, ResourceType } from "../resource.ts";

// How controllers write down what they read and write: `inputs: [weak(Hostname), strong(LinkSpec)]`.

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

export const weak = input("weak");
export const strong = input("strong");
export const destroyReady = input("destroy-ready");
export const primary = queueInput("primary");
export const mapped = queueInput("mapped");
export const mappedDestroyReady = queueInput("mapped-destroy-ready");

/** An output together with where it goes, for controllers that clean up after themselves. */
export interface DeclaredOutput extends Output, Kind {
  readonly resourceType: ResourceType<unknown>;
}

function output(kind: OutputKind): (type: ResourceType<unknown>, namespace?: string) => DeclaredOutput {
  return (type, namespace = type.namespace) => ({ type: type.type, namespace, kind, resourceType: type });
}

export const exclusive = output("exclusive");
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
