/**
 * The client beside upstream's: logs and copy on the same node; and a node with very many watchers.
 *
 * `UPSTREAM_TALOSCTL` names upstream's program; without it a program on upstream's Go client library is built.
 */
import { cpus, loadavg } from "node:os";
import { buildRootfs, systemDaemons } from "@talos-ts/imager";
import { talosVersion } from "@talos-ts/machinery/constants";
import { bundleTalosctl } from "../scripts/lib/bundle-talosctl.ts";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { compareClientStreams } from "./client/streams.ts";
import { measureWatchers } from "./client/watchers.ts";
import { publish } from "./lib/publish.ts";

await interruptible(async (signal) => {
  await bundleTalosctl();
  const image = await buildRootfs({ daemons: systemDaemons(), version: talosVersion, signal });
  const [before] = loadavg();
  const streams = await compareClientStreams(signal);
  const watchers = await measureWatchers(image, signal);
  await publish("client", {
    title: "Streams of the client",
    peer: "upstream's client (Go, v1.13.9)",
    rows: [...streams, ...watchers],
    notes: [
      "Logs and copy: medians of 3 turns by turns, from the start of the process to its end, output thrown away. Both read 192 MiB through apid's gateway on the loopback, from a server that has the bytes ready; the archive does not shrink.",
      `Peer: ${process.env["UPSTREAM_TALOSCTL"] === undefined ? "a program on the client library of Talos v1.13.9 that reads as its commands do, line by line, or with Go's gzip and tar" : "the program that UPSTREAM_TALOSCTL names"}.`,
      "Watchers: streams of 10 callers on a live node, each with one event of the past; then one daemon is killed, which the node must notice first. RSS and CPU are what watching them costs the daemons.",
      `The host had a load of ${before?.toFixed(1) ?? "?"} on ${String(cpus().length)} cores before: above a few tenths, rates say more about its other work, and CPU times are the better measure.`,
    ],
  });
});
