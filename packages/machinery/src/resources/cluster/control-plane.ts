import { field, int64, message, type ValueOf } from "../dsl/index.ts";

/** What a control plane machine offers. */
export const controlPlane = message({
  port: field(1, int64),
});

export type ControlPlane = ValueOf<typeof controlPlane>;
