export { EtcFileSpec, type EtcFileSpecSpec } from "./etc-file-spec.ts";
export { EtcFileStatus, type EtcFileStatusSpec } from "./etc-file-status.ts";
