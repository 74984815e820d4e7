import { chmod, mkdir, writeFile, appendFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

/** Files of the configuration may land only where nothing of the system lives. */
const allowed = ["/var/", "/etc/cri/conf.d/"];

/** Writes `machine.files`: create, overwrite or append, under the paths that are writable. */
export function writeUserFiles(machine: Machine): Task {
  return async ({ log }) => {
    for (const file of machine.config.current()?.machine?.files ?? []) {
      const { path = "", content = "", permissions = 0o644, op = "create" } = file;
      if (!allowed.some((prefix) => path.startsWith(prefix)) || path.includes("/../")) {
        throw new OsError({
          kind: "invalid-argument",
          code: "files/path-refused",
          message: `create operation not allowed outside of /var: "${path}"`,
          next: "talosctl edit machineconfig",
        });
      }
      const target = `${machine.root}${path}`;
      await mkdir(dirname(target), { recursive: true });
      log(`writing file ${path}`);
      if (op === "append") {
        await appendFile(target, content);
        await chmod(target, permissions);
        continue;
      }
      const temporary = `${target}.tmp`;
      await rm(temporary, { force: true });
      await writeFile(temporary, content, { mode: permissions });
      await chmod(temporary, permissions);
      await rename(temporary, target);
    }
  };
}
