import { isDeepStrictEqual } from "node:util";
import { describeError, type Clock } from "@talos-ts/base";
import { asType, pointerTo, type Logger, type State } from "@talos-ts/cosi";
import { EtcdSpec, type EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { etcdArguments } from "./etcd-arguments.ts";

/** Time that settings must stay the same before etcd is restarted for them: addresses come and go while a network changes. */
const settleMs = 3000;

export interface ChangedSettingsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Resolves with the settings of etcd once they lead to another image or command line than the present ones. */
export async function changedSettings(
  { state, clock, logger }: ChangedSettingsOptions,
  present: EtcdSpecSpec,
  signal: AbortSignal,
): Promise<EtcdSpecSpec> {
  const running = command(present);
  let refused: EtcdSpecSpec | undefined;
  const differs = (spec: EtcdSpecSpec): boolean => {
    try {
      return !isDeepStrictEqual(command(spec), running);
    } catch (err) {
      // etcd goes on with what it has; a person reads why.
      if (!isDeepStrictEqual(spec, refused)) logger.error(`etcd is not restarted: ${describeError(err)}`);
      refused = spec;
      return false;
    }
  };
  const specs = pointerTo(EtcdSpec, EtcdSpec.id);
  for (;;) {
    const test = (resource: Parameters<typeof asType>[1]): boolean => differs(asType(EtcdSpec, resource).spec);
    const seen = asType(EtcdSpec, await state.watchFor(specs, { phases: ["running"], test }, signal)).spec;
    await clock.sleep(settleMs, signal);
    const now = asType(EtcdSpec, await state.watchFor(specs, { phases: ["running"] }, signal)).spec;
    if (isDeepStrictEqual(command(now), command(seen))) return now;
  }
}

/** Returns what etcd is run with once it has data. */
function command(spec: EtcdSpecSpec): readonly string[] {
  return [spec.image, ...etcdArguments(spec, undefined)];
}
