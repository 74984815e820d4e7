import type { Input, Output, QueueInput } from "../controller.ts";
import type { Kind } from "../resource.ts";
import { duplicateInput, duplicateOutput, outputTaken } from "./errors.ts";
import { edgeKinds, type DependencyEdge, type EdgeKind } from "./graph.ts";

/** Describes who reads and who writes what: decides whether a controller may join. */
export interface Dependencies {
  /** @throws {OsError} when an output is taken or anything is declared twice; then nothing is registered */
  register(name: string, inputs: readonly (Input | QueueInput)[], outputs: readonly Output[]): void;
  /** @throws {OsError} when an input is declared twice; then the inputs stay as they were */
  replaceInputs(name: string, inputs: readonly (Input | QueueInput)[]): void;
  edges(): readonly DependencyEdge[];
}

interface Declared {
  inputs: readonly (Input | QueueInput)[];
  readonly outputs: readonly Output[];
}

interface Managed {
  readonly mode: Output["kind"];
  readonly first: string;
}

export function createDependencies(): Dependencies {
  const controllers = new Map<string, Declared>();
  const managed = new Map<string, Managed>();

  function checkInputs(name: string, inputs: readonly (Input | QueueInput)[]): void {
    const seen = new Set<string>();
    for (const input of inputs) {
      const key = JSON.stringify([input.namespace, input.type, input.id]);
      if (seen.has(key)) throw duplicateInput(name, input);
      seen.add(key);
    }
  }

  function checkOutputs(name: string, outputs: readonly Output[]): void {
    const seen = new Set<string>();
    for (const { type, kind } of outputs) {
      if (seen.has(type)) throw duplicateOutput(name, type);
      seen.add(type);
      const taken = managed.get(type);
      if (taken !== undefined && (taken.mode === "exclusive" || kind === "exclusive")) {
        throw outputTaken(name, type, taken.first, taken.mode);
      }
    }
  }

  return {
    register(name, inputs, outputs) {
      checkInputs(name, inputs);
      checkOutputs(name, outputs);
      controllers.set(name, { inputs, outputs });
      for (const { type, kind } of outputs) {
        if (!managed.has(type)) managed.set(type, { mode: kind, first: name });
      }
    },
    replaceInputs(name, inputs) {
      checkInputs(name, inputs);
      const declared = controllers.get(name);
      if (declared !== undefined) declared.inputs = inputs;
    },
    edges() {
      const all: DependencyEdge[] = [];
      for (const [controllerName, { inputs, outputs }] of controllers) {
        for (const { type, kind } of outputs)
          all.push(makeEdge(controllerName, `output-${kind}`, { namespace: "", type }));
        for (const input of inputs) all.push(makeEdge(controllerName, `input-${input.kind}`, input));
      }
      return all.sort(compareEdges);
    },
  };
}

function makeEdge(
  controllerName: string,
  edgeKind: EdgeKind,
  { namespace, type, id = "" }: Kind & { readonly id?: string },
): DependencyEdge {
  return { controllerName, edgeKind, resourceNamespace: namespace, resourceType: type, resourceId: id };
}

/** Outputs first, by kind; then the inputs of each controller together. */
function compareEdges(a: DependencyEdge, b: DependencyEdge): number {
  return (
    edgeKinds[a.edgeKind].order - edgeKinds[b.edgeKind].order ||
    compare(a.controllerName, b.controllerName) ||
    compare(a.resourceNamespace, b.resourceNamespace) ||
    compare(a.resourceType, b.resourceType) ||
    compare(a.resourceId, b.resourceId)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
