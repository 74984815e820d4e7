import { createConnection } from "node:net";

/** Commands of QEMU's machine protocol: the first leaves its handshake. */
const commands = ["qmp_capabilities", "system_powerdown"] as const;

/**
 * Presses the power button of a machine, which then shuts itself down.
 *
 * @param socket Path of the socket of QEMU's machine protocol.
 */
export async function pressPowerButton(socket: string): Promise<void> {
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
    replies += lines.filter((line) => line.includes('"return"')).length;
    if (replies === commands.length) connection.end();
  });
  for (const execute of commands) connection.write(`${JSON.stringify({ execute })}\n`);
  await promise;
}
