import type { CommandEntry } from "../../command.ts";
import { securebootCommands } from "./secureboot/index.ts";

export const genCommands: readonly CommandEntry[] = [
  { name: "ca", summary: "Make a certificate authority", load: () => import("./ca.ts") },
  { name: "config", summary: "Make the configurations of a cluster", load: () => import("./config.ts") },
  { name: "crt", summary: "Sign a certificate request", load: () => import("./crt.ts") },
  { name: "csr", summary: "Make a certificate request", load: () => import("./csr.ts") },
  { name: "key", summary: "Make a private key", load: () => import("./key.ts") },
  { name: "keypair", summary: "Make a self-signed certificate and its key", load: () => import("./keypair.ts") },
  { name: "secrets", summary: "Make the secrets of a cluster", load: () => import("./secrets.ts") },
  { name: "secureboot", summary: "Make keys and UEFI variables for secure boot", subcommands: securebootCommands },
];
