import { field, int64, message, type ValueOf } from "../dsl/index.ts";

/** Endpoint of a control plane machine. */
export const controlPlane = message({
  port: field(1, int64),
});

export type ControlPlane = ValueOf<typeof controlPlane>;
