import { runDaemon } from "@talos-ts/host/daemon";
import { apidPort, paths } from "@talos-ts/machinery/constants";
import { runApid } from "./apid.ts";

await runDaemon("apid", (context) =>
  runApid({
    ...context,
    runtimeSocket: paths.apidRuntimeSocket,
    healthSocket: paths.apidHealthSocket,
    machinedSocket: paths.machinedSocket,
    peerPort: apidPort,
  }),
);
