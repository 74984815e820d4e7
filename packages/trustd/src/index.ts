export type { Log } from "./log.ts";
export { runTrustd, type TrustdOptions } from "./trustd.ts";
