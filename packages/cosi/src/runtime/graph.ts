import type { Input, Output, QueueInput } from "../controller.ts";

/** Kind of an edge between a controller and a resource type in the dependency graph. */
export type EdgeKind = `output-${Output["kind"]}` | `input-${(Input | QueueInput)["kind"]}`;

/** One arrow between a controller and a resource kind, named as `inspect.ControllerDependencyEdge` names it. */
export interface DependencyEdge {
  readonly controllerName: string;
  readonly edgeKind: EdgeKind;
  /** Empty for outputs, which may go to any namespace. */
  readonly resourceNamespace: string;
  readonly resourceType: string;
  /** Empty when the edge is about every resource of the kind. */
  readonly resourceId: string;
}

interface EdgeFacts {
  /** Sorts edges for output. */
  readonly order: number;
  /** `inspect.DependencyEdgeType`, which knows no queue: its inputs show as what they amount to. */
  readonly inspectType: number;
}

/** Order and wire value of each kind of edge. */
export const edgeKinds: Readonly<Record<EdgeKind, EdgeFacts>> = {
  "output-exclusive": { order: 0, inspectType: 0 },
  "output-shared": { order: 1, inspectType: 3 },
  "input-strong": { order: 2, inspectType: 1 },
  "input-weak": { order: 2, inspectType: 2 },
  "input-destroy-ready": { order: 2, inspectType: 4 },
  "input-primary": { order: 2, inspectType: 1 },
  "input-mapped": { order: 2, inspectType: 2 },
  "input-mapped-destroy-ready": { order: 2, inspectType: 4 },
};
