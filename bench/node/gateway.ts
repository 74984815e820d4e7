import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyConfig, emptyContext, encodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import { bundle } from "../lib/bundle.ts";
import { startDaemon } from "./daemon.ts";
import type { writeProxyIdentities } from "./identity.ts";

type Identities = Awaited<ReturnType<typeof writeProxyIdentities>>;

/** Gateway of a node on the loopback. */
export interface Gateway extends AsyncDisposable {
  /** Path of a talosconfig whose context is an administrator at this gateway. */
  readonly talosconfig: string;
}

/** Starts apid's gateway before whatever serves `socket`, and writes a talosconfig for it into the folder. */
export async function startGateway(folder: string, socket: string, { own, caller }: Identities): Promise<Gateway> {
  const program = await bundle(join(import.meta.dirname, "proxy-subject.ts"));
  const proxy = await startDaemon(process.execPath, [program, "proxy", JSON.stringify({ ...own, socket })]);
  const encoded = async (file: string): Promise<string> => (await readFile(file)).toString("base64");
  const context = {
    ...emptyContext,
    endpoints: [proxy.address],
    nodes: ["127.0.0.1"],
    ca: await encoded(caller.authority),
    crt: await encoded(caller.certificate),
    key: await encoded(caller.key),
  };
  const talosconfig = join(folder, "talosconfig");
  const config = { ...emptyConfig, context: "bench", contexts: new Map([["bench", context]]) };
  await writeFile(talosconfig, encodeTalosconfig(config), { mode: 0o600 });
  return { talosconfig, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}
