import { hostname } from "node:os";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { callOnThread } from "../ffi/thread.ts";
import { rebootCommands, type System } from "./system.ts";

export function createLinuxSystem(): System {
  return {
    hostname,
    setHostname(name) {
      const bytes = Buffer.from(name);
      if (libc().functions.sethostname(bytes, BigInt(bytes.length)) < 0) {
        const action = `set the host name to "${name}"`;
        throw kernelError({ area: "system", action, errno: libc().errno(), details: { name } });
      }
    },
    async sync() {
      await callOnThread([{ name: "sync", arguments: [] }]);
    },
    reboot(command) {
      if (libc().functions.reboot(rebootCommands[command] | 0) < 0) {
        throw kernelError({
          area: "system",
          action: `reboot (${command})`,
          errno: libc().errno(),
          details: { command },
        });
      }
    },
  };
}
