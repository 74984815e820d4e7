import type { Input, Output, QueueInput } from "../controller.ts";
import type { Pointer } from "../resource.ts";
import { undeclaredFinalizer, undeclaredRead, undeclaredWrite } from "./errors.ts";
import { createKindMap } from "./kind-map.ts";

/**
 * Describes what a controller may do, from what it declared:
 *
 * | operation        | needs                                                                    |
 * |------------------|--------------------------------------------------------------------------|
 * | read one         | an output of the type, an input of the kind, or an input with that id    |
 * | list             | an output of the type, or an input of the kind without an id             |
 * | write            | an output of the type                                                    |
 * | change finalizer | a `strong`, `primary` or `mapped` input that covers the resource         |
 *
 * @throws {OsError} `runtime/undeclared-…` when it may not
 */
export interface Access {
  isOutput(type: string): boolean;
  checkRead(namespace: string, type: string, id: string): void;
  checkList(namespace: string, type: string): void;
  checkWrite(verb: string, pointer: Pointer): void;
  checkFinalizer(pointer: Pointer): void;
}

interface Grant {
  every: boolean;
  readonly ids: Set<string>;
}

const holdsFinalizers: Readonly<Record<(Input | QueueInput)["kind"], boolean>> = {
  weak: false,
  strong: true,
  "destroy-ready": false,
  primary: true,
  mapped: true,
  "mapped-destroy-ready": false,
};

export function createAccess(
  name: string,
  inputs: readonly (Input | QueueInput)[],
  outputs: readonly Output[],
): Access {
  const types = new Set(outputs.map((output) => output.type));
  const readable = createKindMap<Grant>();
  const held = createKindMap<Grant>();

  for (const input of inputs) {
    for (const grants of holdsFinalizers[input.kind] ? [readable, held] : [readable]) {
      const grant = grants.get(input.namespace, input.type) ?? { every: false, ids: new Set() };
      if (input.id === undefined) grant.every = true;
      else grant.ids.add(input.id);
      grants.set(input, grant);
    }
  }

  return {
    isOutput: (type) => types.has(type),
    checkRead(namespace, type, id) {
      const grant = readable.get(namespace, type);
      if (grant?.every === true || grant?.ids.has(id) === true || types.has(type)) return;
      throw undeclaredRead(name, { namespace, type }, id);
    },
    checkList(namespace, type) {
      if (readable.get(namespace, type)?.every === true || types.has(type)) return;
      throw undeclaredRead(name, { namespace, type });
    },
    checkWrite(verb, pointer) {
      if (!types.has(pointer.type)) throw undeclaredWrite(name, verb, pointer);
    },
    checkFinalizer(pointer) {
      const grant = held.get(pointer.namespace, pointer.type);
      if (grant?.every === true || grant?.ids.has(pointer.id) === true) return;
      throw undeclaredFinalizer(name, pointer);
    },
  };
}
