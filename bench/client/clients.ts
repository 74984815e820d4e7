import { buildGoPeer } from "../lib/go-peer.ts";
import { launcher } from "../node/cold-start.ts";

/** Program that reads streams of a node. */
export interface Client {
  /** Command line for words as `logs apid`, or `copy /usr -`. */
  command(talosconfig: string, node: string, words: readonly string[]): readonly [program: string, ...args: string[]];
}

export const ours: Client = {
  command: (talosconfig, node, words) => [
    process.execPath,
    launcher,
    "--talosconfig",
    talosconfig,
    "--nodes",
    node,
    ...words,
  ],
};

/** Upstream's program where `UPSTREAM_TALOSCTL` names one, else a program on upstream's client library that reads as its commands do. */
export async function peerClient(): Promise<Client> {
  const upstream = process.env["UPSTREAM_TALOSCTL"];
  if (upstream !== undefined)
    return {
      command: (talosconfig, node, [verb = "", ...rest]) => [
        upstream,
        verb,
        "--talosconfig",
        talosconfig,
        "--nodes",
        node,
        ...rest,
      ],
    };
  const program = await buildGoPeer("client");
  return {
    command: (talosconfig, node, words) => [program, "-talosconfig", talosconfig, "-node", node, ...words],
  };
}
