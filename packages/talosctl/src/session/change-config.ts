import { OsError, systemClock, type Clock, type ErrorKind } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { encodeConfig, encodePreserving, loadConfig, type Config } from "@talos-ts/machinery/config";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { ApplyConfigurationRequest_Mode as Mode } from "@talos-ts/proto/machine/config";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Invocation, OptionDefinition } from "../command.ts";
import { flag } from "../values.ts";

/** Flags of commands that change the configurations of many nodes: whether comments are added on the way. */
export const changeOptions: readonly OptionDefinition[] = [
  { flags: "--with-docs", description: "write all machine configs anew, with documentation for each field" },
  { flags: "--with-examples", description: "write all machine configs anew, with commented examples" },
];

/** Returns how changed configurations are written: only the changed lines, or anew with what the flags ask for. */
export function configEncoder(invocation: Invocation): (config: Config) => string {
  const [docs, examples] = [flag(invocation, "withDocs"), flag(invocation, "withExamples")];
  return docs || examples ? (config) => encodeConfig(config, { docs, examples }) : encodePreserving;
}

/** A change of one node's configuration. */
export interface ConfigChange {
  readonly connection: ApiConnection;
  readonly node: string;
  readonly change: (config: Config) => Config;
  readonly encode: (config: Config) => string;
  /** Sent with the configuration; see `allowIdentityChangeKey`. @default none */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** A node that restarts `apid` with another certificate is away for a moment. */
const passing: ReadonlySet<ErrorKind> = new Set(["unavailable", "cancelled"]);
const retryMs = 500;
const limitMs = 30_000;

/**
 * Reads the configuration of a node, changes it and applies it without a reboot. A node that does not answer is asked again for
 * 30 s; what was applied before is read back, so that nothing is done twice.
 *
 * @returns false when there was nothing to change
 */
export async function changeConfig(options: ConfigChange): Promise<boolean> {
  const { node, signal, clock = systemClock } = options;
  const end = clock.monotonic() + limitMs;
  for (;;) {
    try {
      return await attempt(options);
    } catch (err) {
      const known = OsError.from(err);
      if (signal.aborted || !passing.has(known.kind) || clock.monotonic() > end) {
        throw new OsError({
          kind: known.kind,
          code: known.code,
          message: `error changing the configuration of node ${JSON.stringify(node)}: ${known.message}`,
          next: known.next ?? `talosctl --nodes ${node} version`,
          cause: err,
        });
      }
    }
    await clock.sleep(retryMs, signal);
  }
}

async function attempt({ connection, node, change, encode, metadata, signal }: ConfigChange): Promise<boolean> {
  const resources = openResources(connection, node, [MachineConfig]);
  const before = (await resources.get(MachineConfig, MachineConfig.ids.active)).spec;
  const after = encode(change(loadConfig(before)));
  if (after.trim() === before.trim()) return false;
  const request = { data: new TextEncoder().encode(after), mode: Mode.NO_REBOOT };
  await connection
    .service(MachineService, { node })
    .applyConfiguration(request, { signal, ...(metadata !== undefined && { metadata }) });
  return true;
}
