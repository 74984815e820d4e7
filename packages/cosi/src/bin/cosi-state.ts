import { parseArgs } from "node:util";
import { describeError, OsError } from "@talos-ts/base";
import { createServer, type ListenAddress } from "@talos-ts/grpc";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { stateService } from "../grpc/service.ts";
import { createInMemoryState } from "../in-memory.ts";
import { createResourceRegistry } from "../registry.ts";
import { wrapCore } from "../wrap-core.ts";

const usage = `Usage: cosi-state --listen <address>

Serves an empty in-memory state over gRPC, for every type and to everybody who can connect.

  --listen unix:///path        a unix socket
  --listen tcp://host:port     a TCP port; port 0 picks a free one
  --help                       this text

Prints the address it listens on and stops on SIGINT and SIGTERM.
`;

function parseAddress(text: string): ListenAddress {
  const url = URL.parse(text);
  if (url?.protocol === "unix:" && url.pathname !== "") return { unix: decodeURIComponent(url.pathname) };
  const tcp = /^tcp:\/\/(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(text);
  const host = tcp?.[1] ?? tcp?.[2];
  if (host !== undefined) return { host, port: Number(tcp?.[3]) };
  throw new OsError({
    kind: "invalid-argument",
    code: "cosi/bad-address",
    message: `Cannot listen on "${text}": expected "unix:///path" or "tcp://host:port"`,
    next: "cosi-state --help",
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { listen: { type: "string" }, help: { type: "boolean" } } });
  if (values.help === true || values.listen === undefined) {
    process.stdout.write(usage);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  await using server = createServer();
  const state = wrapCore(createInMemoryState());
  server.addService(StateService, stateService(state, { registry: createResourceRegistry() }));
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  const { address } = await server.listen(parseAddress(values.listen));
  process.stdout.write(`${address}\n`);
  await stopped;
}

try {
  await main();
} catch (err) {
  const { next } = OsError.from(err);
  process.stderr.write(`cosi-state: ${describeError(err)}${next === undefined ? "" : `\nTry: ${next}`}\n`);
  process.exitCode = 1;
}
