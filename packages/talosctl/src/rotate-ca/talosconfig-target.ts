import { resolve } from "node:path";
import { pemToBase64, type PemPair } from "@talos-ts/crypto";
import {
  addContext,
  currentContextName,
  openTalosconfig,
  resolveContext,
  saveTalosconfig,
} from "@talos-ts/machinery/talosconfig";
import type { Invocation } from "../command.ts";

/** The talosconfig that gets new credentials. */
export interface TalosconfigTarget {
  readonly path: string;
  /** Name of the context. */
  readonly context: string;
  /** Replaces trusted authorities and client certificate (PEM) of the context, atomically; the rest stays. */
  readonly save: (ca: string, client: PemPair) => Promise<void>;
}

/** Opens the talosconfig in use. @param output Where it is written instead. */
export async function openTarget({ global, io }: Invocation, output: string | undefined): Promise<TalosconfigTarget> {
  const { config, location: used } = await openTalosconfig(global.talosconfig, { env: io.env });
  const context = currentContextName(config, global.context);
  const location = output === undefined ? used : { path: resolve(output), writeAllowed: true };
  return {
    path: location.path,
    context,
    async save(ca, client) {
      const { config: present } = await openTalosconfig(used.path);
      const credentials = { ca: pemToBase64(ca), crt: pemToBase64(client.crt), key: pemToBase64(client.key) };
      const changed = addContext(present, context, { ...resolveContext(present, context), ...credentials });
      await saveTalosconfig({ location, config: changed });
      io.err(`> Writing new talosconfig to ${JSON.stringify(location.path)}\n`);
    },
  };
}
