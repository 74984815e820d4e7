export { runTrustd, type TrustdOptions } from "./trustd.ts";
