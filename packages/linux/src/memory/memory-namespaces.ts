import { kernelError } from "../ffi/errno.ts";
import type { CommandResult, NamespaceCommand, Namespaces } from "../namespaces/namespaces.ts";
import type { MemoryNetworks } from "./memory-networks.ts";
import type { MemoryPaths } from "./paths.ts";

/** A command that exists in memory. */
export type MemoryProgram = (command: NamespaceCommand) => Partial<CommandResult> | Promise<Partial<CommandResult>>;

export function createMemoryNamespaces(
  networks: MemoryNetworks,
  paths: MemoryPaths,
  programs: Readonly<Record<string, MemoryProgram>>,
): Namespaces {
  return {
    async run(command) {
      command.signal?.throwIfAborted();
      const program = Object.hasOwn(programs, command.command) ? programs[command.command] : undefined;
      if (program === undefined) {
        const action = `run "${command.command}" in other namespaces: cannot find command "${command.command}"`;
        throw kernelError({ area: "namespace", action, errno: "ENOENT", details: { command: command.command } });
      }
      return { exitCode: 0, signal: undefined, stdout: "", stderr: "", ...(await program(command)) };
    },
    async createNetwork(path) {
      if (paths.has(path)) {
        throw kernelError({ area: "namespace", action: `create network namespace "${path}"`, errno: "EEXIST" });
      }
      paths.add(path);
      networks.createNamespace(path);
    },
    async removeNetwork(path) {
      paths.require(path, "mount", `unmount "${path}"`);
      paths.delete(path);
      networks.deleteNamespace(path);
    },
  };
}
