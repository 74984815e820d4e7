import { createConnection } from "node:net";
import { OsError } from "@talos-ts/base";

/** Command of QEMU's machine protocol. */
export interface MachineCommand {
  readonly execute: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** First command of every conversation: it leaves the handshake. */
const begin: MachineCommand = { execute: "qmp_capabilities" };

interface Reply {
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
}

/**
 * Gives commands to a machine, and waits until QEMU has carried them out or has ended.
 *
 * @param socket Path of the socket of QEMU's machine protocol.
 * @throws OsError `provision/qemu-command` for a command that QEMU refuses.
 */
export async function commandMachine(socket: string, ...commands: readonly MachineCommand[]): Promise<void> {
  const all = [begin, ...commands];
  const connection = createConnection(socket);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let replies = 0;
  let text = "";
  connection.setEncoding("utf8");
  connection.once("error", reject);
  connection.once("close", resolve);
  connection.on("data", (chunk: string) => {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { return: result, error } = JSON.parse(line) as Reply;
      if (error !== undefined) connection.destroy(refused(all[replies]?.execute ?? "", error.desc));
      // Events come in between.
      if (result !== undefined) replies += 1;
    }
    if (replies === all.length) connection.end();
  });
  for (const command of all) connection.write(`${JSON.stringify(command)}\n`);
  await promise;
}

function refused(command: string, reason: string): OsError {
  return new OsError({
    kind: "internal",
    code: "provision/qemu-command",
    message: `Cannot carry out "${command}" on the virtual machine: ${reason}`,
  });
}
