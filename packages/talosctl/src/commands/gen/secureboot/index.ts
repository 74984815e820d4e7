import type { CommandEntry } from "../../../command.ts";

export const securebootCommands: readonly CommandEntry[] = [
  { name: "database", summary: "Make UEFI variables that enroll a certificate", load: () => import("./database.ts") },
  { name: "pcr", summary: "Make a key that signs values of TPM registers", load: () => import("./pcr.ts") },
  { name: "uki", summary: "Make a certificate that signs boot images", load: () => import("./uki.ts") },
];
