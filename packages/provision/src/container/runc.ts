import { spawn } from "node:child_process";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { baseEnvironment, runTool } from "@talos-ts/host";

export interface ContainerStatus {
  /** As runc says it; `absent` when it knows no such container. */
  readonly status: "creating" | "created" | "running" | "paused" | "stopped" | "absent";
  readonly pid: number;
}

/** The containers of one cluster. */
export interface Runc {
  /** Makes the container and its namespaces; its init waits. Its output goes to `logPath` from now on. */
  create(id: string, bundle: string, logPath: string): Promise<number>;
  /** Lets the init run. */
  start(id: string): Promise<void>;
  /** Asks the init to end, and with it the container; one that has ended already is no error. */
  terminate(id: string): Promise<void>;
  status(id: string): Promise<ContainerStatus>;
  /** Kills and removes a container; one that does not exist is no error. */
  remove(id: string): Promise<void>;
}

const noContainer = (err: unknown): boolean => err instanceof Error && /does not exist|no such file/.test(err.message);

const hasEnded = (err: unknown): boolean => err instanceof Error && /not running|already finished/.test(err.message);

const absent: ContainerStatus = { status: "absent", pid: 0 };

export function createRunc(directory: string, signal?: AbortSignal): Runc {
  const run = (...args: string[]): Promise<string> =>
    runTool("runc", ["--root", directory, ...args], signal === undefined ? {} : { signal }).then(
      ({ stdout }) => stdout,
    );

  const status = async (id: string): Promise<ContainerStatus> => {
    try {
      const { status, pid } = JSON.parse(await run("state", id)) as ContainerStatus;
      return { status, pid };
    } catch (err) {
      if (noContainer(err)) return absent;
      throw err;
    }
  };

  return {
    status,
    async create(id, bundle, logPath) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await createDetached(directory, id, bundle, logPath, signal);
      return (await status(id)).pid;
    },
    async start(id) {
      await run("start", id);
    },
    async terminate(id) {
      await run("kill", id, "TERM").catch((err: unknown) => {
        if (!noContainer(err) && !hasEnded(err)) throw err;
      });
    },
    async remove(id) {
      await run("delete", "--force", id).catch((err: unknown) => {
        if (!noContainer(err)) throw err;
      });
      // What an interrupted `runc create` left behind is no container for runc, but would forbid the name.
      await rm(join(directory, id), { recursive: true, force: true });
    },
  };
}

/** The init inherits the standard streams of `runc create`, so these are the log; runc's own words go to a file. */
async function createDetached(
  directory: string,
  id: string,
  bundle: string,
  logPath: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await using log = await open(logPath, "a", 0o600);
  const complaints = join(bundle, "runc.log");
  const args = ["--root", directory, "--log", complaints, "--log-format", "json", "create", "--bundle", bundle, id];
  const child = spawn("runc", args, {
    stdio: ["ignore", log.fd, log.fd],
    env: baseEnvironment(),
    ...(signal === undefined ? {} : { signal }),
  });
  const status = await new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, killed) => resolve(code ?? killed ?? "unknown"));
  });
  if (status === 0) return;
  throw new OsError({
    kind: "internal",
    code: "provision/runc",
    message: `Cannot create container "${id}": runc ended with status ${status}: ${await lastComplaint(complaints)}`,
    details: { id, status },
  });
}

async function lastComplaint(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  const messages = text.split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as { readonly level?: string; readonly msg?: string };
      return entry.level === "error" && entry.msg !== undefined ? [entry.msg] : [];
    } catch {
      return [];
    }
  });
  return messages.at(-1) ?? "it gave no reason";
}
