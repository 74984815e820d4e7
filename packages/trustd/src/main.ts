import { logLine, releaseMemory } from "@talos-ts/base";
import { paths, trustdPort } from "@talos-ts/machinery/constants";
import { runTrustd } from "./trustd.ts";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());

// By then it serves; what starting took is not needed again.
setTimeout(releaseMemory, 5000).unref();

try {
  await runTrustd({
    runtimeSocket: paths.trustdRuntimeSocket,
    listen: { host: "", port: trustdPort },
    signal: stop.signal,
    log: (line) => console.log(logLine(line, new Date())),
  });
  process.exit(0);
} catch (err) {
  console.error(err);
  process.exit(1);
}
