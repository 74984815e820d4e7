import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts a program that says where it listens and that ends with its input. */
export async function startDaemon(
  command: string,
  args: readonly string[],
): Promise<AsyncDisposable & { readonly address: string }> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const first = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: address } = await first.next();
  if (address === undefined) throw new Error(`Started ${command} ${args[0] ?? ""}: it ended before it listened`);
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
