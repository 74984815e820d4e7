import { logLine, releaseMemory } from "@talos-ts/base";
import { apidPort, paths } from "@talos-ts/machinery/constants";
import { runApid } from "./apid.ts";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());

// By then it serves; what starting took is not needed again.
setTimeout(releaseMemory, 5000).unref();

try {
  await runApid({
    runtimeSocket: paths.apidRuntimeSocket,
    machinedSocket: paths.machinedSocket,
    peerPort: apidPort,
    signal: stop.signal,
    log: (line) => console.log(logLine(line, new Date())),
  });
  process.exit(0);
} catch (err) {
  console.error(err);
  process.exit(1);
}
