import { describeError, runForever, type Log } from "@talos-ts/base";
import { pointerTo, type ResourceType } from "./resource.ts";
import type { CoreState } from "./state.ts";
import { asType } from "./typed.ts";

/** Settings of `follow`. */
export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Takes a line whenever the watch ended and is about to be opened again. */
  readonly log: Log;
}

/** Tells the spec of one resource whenever it changes, `undefined` while there is none, until the signal aborts. */
export function follow<S>(
  state: CoreState,
  type: ResourceType<S>,
  id: string,
  onSpec: (spec: S | undefined) => void,
  { signal, log }: FollowOptions,
): Promise<void> {
  return runForever(
    async (works) => {
      await using watch = await state.watch(pointerTo(type, id), { signal });
      for await (const events of watch) {
        works();
        const { type: change, resource } = events.at(-1) ?? {};
        if (resource === undefined) continue;
        onSpec(change === "destroyed" ? undefined : asType(type, resource).spec);
      }
    },
    {
      signal,
      backoff: { initialMs: 100, maxMs: 5000 },
      onEnd: (err) => log(`watch of ${type.type} ended, trying again: ${describeError(err)}`),
    },
  );
}
