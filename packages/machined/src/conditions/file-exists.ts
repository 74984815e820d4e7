import type { Clock } from "@talos-ts/base";
import { exists } from "@talos-ts/host";
import { condition, type Condition } from "./condition.ts";

const pauseMs = 100;

/** Holds once a file is there. @param path As a person knows it. @param root Prefix of every path, for tests. */
export function fileExists(path: string, { clock, root }: { readonly clock: Clock; readonly root: string }): Condition {
  return condition(`file "${path}" to exist`, async (signal) => {
    while (!(await exists(`${root}${path}`))) await clock.sleep(pauseMs, signal);
  });
}
