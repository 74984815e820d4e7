export { keepMemorySmall } from "./release-memory.ts";
export { runDaemon, type DaemonContext } from "./run-daemon.ts";
