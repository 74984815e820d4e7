export { cleanupController, type CleanupControllerOptions } from "./cleanup-controller.ts";
export { RequeueAfter, SkipReconcile, TerminalError } from "./control.ts";
export {
  destroyReady,
  exclusive,
  mapped,
  mappedDestroyReady,
  primary,
  shared,
  strong,
  weak,
  type DeclaredOutput,
  type InputScope,
} from "./declare.ts";
export { edgeKinds, type DependencyEdge, type EdgeKind } from "./graph.ts";
export {
  queueTransformController,
  type MappedInput,
  type QueueTransformOptions,
} from "./queue-transform-controller.ts";
export { reconcileController, type ReconcileControllerOptions } from "./reconcile-controller.ts";
export {
  mergeController,
  reduceController,
  type MergeControllerOptions,
  type PureContext,
  type ReduceControllerOptions,
} from "./reduce-controller.ts";
export { createRuntime, type Runtime, type RuntimeOptions, type StopReport } from "./runtime.ts";
export type { ControllerState, ControllerStatus, QueueStatus } from "./status.ts";
export { transformController, type TransformContext, type TransformControllerOptions } from "./transform-controller.ts";
export { waitUntilQuiet } from "./wait-until-quiet.ts";
