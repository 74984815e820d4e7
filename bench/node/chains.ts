/** A proxy before a server, ours and the one in Go, with the identity that a load needs to call them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFlags } from "../../packages/machined/src/services/definitions/daemon.ts";
import { bundle } from "../lib/bundle.ts";
import { buildGoPeer } from "../lib/go-peer.ts";
import { startDaemon, type Daemon } from "./daemon.ts";
import { writeProxyIdentities, type IdentityFiles } from "./identity.ts";

/** Answer of the server behind a proxy: the same bytes to every call, or messages of one size without end. */
export type Answer = { readonly response: string } | { readonly messageBytes: number };

export interface Chain {
  readonly proxy: Daemon;
  /** CPU time of proxy and server, in seconds. */
  cpuSeconds(): number;
}

export interface Chains extends AsyncDisposable {
  /** The program in Go, which is the load too. */
  readonly program: string;
  readonly caller: IdentityFiles;
  readonly ours: Chain;
  readonly peer: Chain;
}

export async function startChains(answer: Answer): Promise<Chains> {
  const program = await buildGoPeer("proxy");
  const folder = await mkdtemp(join(tmpdir(), "bench-proxies-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const { own, caller } = await writeProxyIdentities(folder);

  const start = async (command: string, args: readonly string[], name: string): Promise<Chain> => {
    const how = JSON.stringify({ ...own, ...answer, socket: join(folder, name), address: "127.0.0.1:0" });
    const server = stack.use(await startDaemon(command, [...args, "serve", how]));
    const proxy = stack.use(await startDaemon(command, [...args, "proxy", how]));
    return { proxy, cpuSeconds: () => server.cpuSeconds() + proxy.cpuSeconds() };
  };
  // As in an image: one file, without the compiler of types in its memory, and with the heap of a daemon.
  const subject = await bundle(join(import.meta.dirname, "proxy-subject.ts"));
  const ours = await start(process.execPath, [...nodeFlags, subject], "ours");
  const peer = await start(program, [], "peer");
  const owned = stack.move();
  return { program, caller, ours, peer, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
