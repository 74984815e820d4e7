import { Socket } from "node:net";
import { createMemoryLinux } from "../memory/create-memory-linux.ts";
import type { ConformanceSubject } from "./subject.ts";

/** The kernel in memory, fresh each time. */
export async function createMemorySubject(): Promise<ConformanceSubject> {
  const linux = createMemoryLinux();
  let folders = 0;
  return {
    linux,
    async makeFolder() {
      const path = `/folder-${String(folders++)}`;
      linux.paths.add(path);
      return path;
    },
    async makeOrphan(exitCode) {
      const pid = linux.processes.start({ executable: "/bin/orphan", orphan: true });
      return { pid, release: async () => linux.processes.end(pid, { exitCode }) };
    },
    async makeProcess() {
      const pid = linux.processes.start({ executable: "/bin/cat" });
      return {
        pid,
        async [Symbol.asyncDispose]() {
          if (linux.processes.has(pid)) linux.processes.kill(pid, "SIGKILL");
        },
      };
    },
    async makeDisk(sizeBytes) {
      linux.blockDevices.addDisk("/dev/vdb", sizeBytes);
      return { path: "/dev/vdb", [Symbol.asyncDispose]: async () => {} };
    },
    async makeSocket() {
      const socket = new Socket();
      linux.processes.setPeer(socket, {
        pid: process.pid,
        uid: process.getuid?.() ?? 0,
        gid: process.getgid?.() ?? 0,
      });
      return { socket, [Symbol.asyncDispose]: async () => void socket.destroy() };
    },
    printHostname: { command: "uname", arguments: ["-n"] },
    [Symbol.asyncDispose]: async () => linux[Symbol.dispose](),
  };
}
