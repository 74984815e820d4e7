import { field, message, text, uint32, type ValueOf } from "../dsl/index.ts";

/** One place where the API server answers. */
export const kubeprismAddress = message({
  host: field(1, text),
  port: field(2, uint32),
});

export type KubeprismAddress = ValueOf<typeof kubeprismAddress>;
