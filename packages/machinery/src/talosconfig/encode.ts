import { emit } from "../yaml/emit.ts";
import { compareKeys } from "../yaml/key-order.ts";
import { plainTree } from "../yaml/plain-tree.ts";
import type { TalosAuth, TalosConfig, TalosContext } from "./model.ts";

/** The text of a talosconfig: known fields first and in fixed order, contexts sorted, unset fields left out. */
export function encodeTalosconfig(config: TalosConfig): string {
  const contexts = [...config.contexts].toSorted(([left], [right]) => compareKeys(left, right));
  const shape = new Map<string, unknown>([
    ["context", config.context],
    ["contexts", new Map(contexts.map(([name, context]) => [name, contextShape(context)]))],
    ...config.extra,
  ]);
  return emit(plainTree(shape));
}

function contextShape(context: TalosContext): Map<string, unknown> {
  const auth = authShape(context.auth);
  return new Map<string, unknown>([
    ["endpoints", context.endpoints],
    ...(context.nodes.length > 0 ? ([["nodes", context.nodes]] as const) : []),
    ...(["ca", "crt", "key"] as const).filter((key) => context[key] !== "").map((key) => [key, context[key]] as const),
    ...(auth.size > 0 ? ([["auth", auth]] as const) : []),
    ...(context.cluster === "" ? [] : ([["cluster", context.cluster]] as const)),
    ...context.extra,
  ]);
}

function authShape({ basic, siderov1, extra }: TalosAuth): Map<string, unknown> {
  return new Map<string, unknown>([
    ...(basic ? ([["basic", { username: basic.username, password: basic.password }]] as const) : []),
    ...(siderov1 ? ([["siderov1", { identity: siderov1.identity }]] as const) : []),
    ...extra,
  ]);
}
