export { AdjtimeStatus, type AdjtimeStatusSpec } from "./adjtime-status.ts";
export { TimeStatus, type TimeStatusSpec } from "./time-status.ts";
