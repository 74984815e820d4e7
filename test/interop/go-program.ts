import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildGoModule } from "../../scripts/lib/go-module.ts";

const sources = join(import.meta.dirname, "go");

const buildGoProgram = (): Promise<string> => buildGoModule(sources);

export type TlsFiles = Readonly<Record<"TLS_CERT" | "TLS_KEY" | "TLS_CA", string>>;

export interface GoServer extends AsyncDisposable {
  /** `host:port` or a path, as the server printed it. */
  readonly address: string;
}

/** Starts the Go echo server; it ends with its standard input. */
export async function startGoServer(address: string, tls?: TlsFiles): Promise<GoServer> {
  const child = start(["server", address], await buildGoProgram(), tls);
  const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), "line")) as [string];
  return {
    address: line,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.stdin?.end();
      await exit;
    },
  };
}

/** Runs the Go client against a server; the result has one entry per check, "ok" or what went wrong. */
export async function runGoClient(target: string, tls?: TlsFiles): Promise<ReadonlyMap<string, string>> {
  const child = start(["client", target], await buildGoProgram(), tls);
  const results = new Map<string, string>();
  for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
    const space = line.indexOf(" ");
    results.set(line.slice(0, space), line.slice(space + 1));
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return results;
}

function start(args: readonly string[], program: string, tls: TlsFiles | undefined): ChildProcess {
  return spawn(program, args, { env: { ...process.env, ...tls }, stdio: ["pipe", "pipe", "inherit"] });
}
