/** Streams that a client reads from a node: a log, an archive as it comes, and an archive unpacked. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../lib/bundle.ts";
import type { BenchRow } from "../lib/report.ts";
import { startDaemon } from "../node/daemon.ts";
import { startGateway } from "../node/gateway.ts";
import { writeProxyIdentities } from "../node/identity.ts";
import { mebibyte, medians } from "../node/measures.ts";
import { ours, peerClient, type Client } from "./clients.ts";

const run = promisify(execFile);

const turns = 3;
const sizes = { logMiB: 192, fileMiB: 1, files: 192 };

interface Inputs {
  readonly log: string;
  readonly archive: string;
}

/** Writes a log with lines as services have them, and an archive of files that do not shrink. */
async function writeInputs(folder: string): Promise<Inputs> {
  const line = (index: number): string =>
    `2026-01-01T00:00:00.${String(index % 1000).padStart(3, "0")}Z info request ${String(index)} served method=/machine.MachineService/Version status=OK\n`;
  const block = Array.from({ length: 8192 }, (_, index) => line(index)).join("");
  const log = join(folder, "log");
  await writeFile(
    log,
    block.repeat(Math.ceil((sizes.logMiB * mebibyte) / block.length)).slice(0, sizes.logMiB * mebibyte),
  );
  const files = join(folder, "files");
  await mkdir(files);
  for (let index = 0; index < sizes.files; index += 1)
    await writeFile(join(files, `file-${String(index)}`), randomBytes(sizes.fileMiB * mebibyte));
  const archive = join(folder, "archive.tar.gz");
  await run("tar", ["-C", files, "-czf", archive, "."]);
  return { log, archive };
}

interface Reading {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Runs a client to its end, its output thrown away; times are those the shell tells of its child. */
async function read(command: readonly string[], signal: AbortSignal): Promise<Reading> {
  const script = `TIMEFORMAT='%R %U %S'; time "$@" > /dev/null`;
  const { stderr } = await run("bash", ["-c", script, "bash", ...command], {
    signal,
    env: { ...process.env, LC_ALL: "C" },
  });
  const [seconds = Number.NaN, user = Number.NaN, system = Number.NaN] = (stderr.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { seconds, cpuSeconds: user + system };
}

/** Compares both clients, turn by turn, on one node. */
export async function compareClientStreams(signal: AbortSignal): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-client-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const inputs = await writeInputs(folder);
  const socket = join(folder, "socket");
  const subject = await bundle(join(import.meta.dirname, "streams-subject.ts"));
  stack.use(await startDaemon(process.execPath, [subject, JSON.stringify({ socket, ...inputs })]));
  const { talosconfig } = stack.use(await startGateway(folder, socket, await writeProxyIdentities(folder)));
  const peer = await peerClient();

  const archiveBytes = (await stat(inputs.archive)).size;
  const unpacked = join(folder, "unpacked");
  const kinds: readonly { readonly name: string; readonly bytes: number; readonly words: readonly string[] }[] = [
    { name: "client: logs", bytes: (await stat(inputs.log)).size, words: ["logs", "apid"] },
    { name: "client: copy to a pipe", bytes: archiveBytes, words: ["copy", "/var", "-"] },
    { name: "client: copy, unpacked", bytes: archiveBytes, words: ["copy", "/var", unpacked] },
  ];
  const rows: BenchRow[] = [];
  for (const { name, bytes, words } of kinds) {
    const one = async (client: Client): Promise<Reading> => {
      await rm(unpacked, { recursive: true, force: true });
      return await read(client.command(talosconfig, "127.0.0.1", words), signal);
    };
    const [mine, other]: [Reading[], Reading[]] = [[], []];
    for (let turn = 0; turn < turns; turn += 1) {
      mine.push(await one(ours));
      other.push(await one(peer));
    }
    const [here, there] = [medians(mine), medians(other)];
    const size = bytes / mebibyte;
    rows.push(
      { name, unit: "MiB/s", better: "more", ours: size / here.seconds, peer: size / there.seconds },
      {
        name: `${name}, CPU`,
        unit: "ms/MiB",
        better: "less",
        ours: (here.cpuSeconds * 1000) / size,
        peer: (there.cpuSeconds * 1000) / size,
      },
    );
  }
  return rows;
}
