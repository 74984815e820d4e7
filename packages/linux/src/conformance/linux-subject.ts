import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinux, type LinuxOptions } from "../create-linux.ts";
import type { ConformanceSubject } from "./subject.ts";

/** Waits for pipes to close only by being told, so that no test sleeps. */
async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? child, "data")) as [Buffer];
  return chunk.toString().trim();
}

/** Resolves once the kernel counts the process as dead, reaped or not. */
async function untilDead(pid: number): Promise<void> {
  const alive = (): boolean =>
    existsSync(`/proc/${String(pid)}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${String(pid)}/stat`, "utf8"));
  while (alive()) await new Promise((resolve) => setImmediate(resolve));
}

/** A file as a disk that can have partitions. */
async function makeLoopDisk(file: string, sizeBytes: number): ReturnType<ConformanceSubject["makeDisk"]> {
  await writeFile(file, Buffer.alloc(sizeBytes));
  const path = String(spawnSync("losetup", ["--partscan", "--find", "--show", file]).stdout).trim();
  if (path === "") return undefined;
  return { path, [Symbol.asyncDispose]: async () => void spawnSync("losetup", ["--detach", path]) };
}

/** The running kernel; the caller sees to it that it lives in namespaces of its own. */
export async function createLinuxSubject(options: LinuxOptions = {}): Promise<ConformanceSubject> {
  const linux = createLinux(options);
  const root = await mkdtemp(join(tmpdir(), "talos-ts-linux-"));
  return {
    linux,
    makeFolder: () => mkdtemp(join(root, "folder-")),
    async makeOrphan(exitCode) {
      // The shell in the middle ends at once and leaves its own child behind, which waits for its input to close.
      const script = `exec 3<&0; { read line <&3; exit ${String(exitCode)}; } & echo $!`;
      const middle = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
      const exited = once(middle, "exit");
      const pid = Number(await firstLine(middle));
      await exited;
      return {
        pid,
        async release() {
          middle.stdin.end("\n");
          await untilDead(pid);
        },
      };
    },
    async makeProcess() {
      const child = spawn("/bin/cat", { stdio: ["pipe", "ignore", "inherit"] });
      const exited = once(child, "exit");
      await once(child, "spawn");
      return {
        pid: child.pid ?? 0,
        [Symbol.asyncDispose]: async () => {
          child.kill("SIGKILL");
          await exited;
        },
      };
    },
    makeDisk: (sizeBytes) => makeLoopDisk(join(root, "disk"), sizeBytes),
    async makeSocket() {
      const path = join(root, "socket");
      const server = createServer().listen(path);
      await once(server, "listening");
      const client = connect(path);
      const [socket] = (await once(server, "connection")) as [Socket];
      return {
        socket,
        [Symbol.asyncDispose]: async () => {
          client.destroy();
          socket.destroy();
          server.close();
          await once(server, "close");
        },
      };
    },
    printHostname: { command: "uname", arguments: ["-n"] },
    [Symbol.asyncDispose]: async () => {
      linux[Symbol.dispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
