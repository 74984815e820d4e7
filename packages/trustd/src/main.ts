import { runDaemon } from "@talos-ts/host/daemon";
import { paths, trustdPort } from "@talos-ts/machinery/constants";
import { runTrustd } from "./trustd.ts";

await runDaemon("trustd", (context) =>
  runTrustd({
    ...context,
    runtimeSocket: paths.trustdRuntimeSocket,
    healthSocket: paths.trustdHealthSocket,
    listen: { host: "", port: trustdPort },
  }),
);
