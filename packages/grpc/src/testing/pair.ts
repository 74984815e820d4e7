import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createChannel, type Channel, type ChannelOptions } from "../channel.ts";
import { createClient, type Client } from "../client.ts";
import { createServer, type GrpcServer, type ServerOptions } from "../server.ts";
import type { ServiceImpl } from "../service-impl.ts";
import { Echo, echo, type EchoService } from "./echo.ts";

export interface Pair extends AsyncDisposable {
  readonly server: GrpcServer;
  readonly channel: Channel;
  readonly client: Client<EchoService>;
  readonly address: string;
}

/** An echo server on a unix socket and a client for it. */
export async function createPair(
  impl: ServiceImpl<EchoService> = {},
  serverOptions: ServerOptions = {},
  channelOptions: ChannelOptions = {},
): Promise<Pair> {
  const directory = await temporaryDirectory();
  const server = createServer({ graceMs: 0, ...serverOptions }).addService(Echo, { ...echo, ...impl });
  const { address } = await server.listen({ unix: join(directory.path, "s") });
  const channel = createChannel({ target: address, ...channelOptions });
  return {
    server,
    channel,
    client: createClient(Echo, channel),
    address,
    async [Symbol.asyncDispose]() {
      await channel.close();
      await server.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** An async iterable over values that are at hand. */
export async function* from<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(values);
}

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<OsError> {
  const outcome = await call.then(
    () => undefined,
    (err: unknown) => OsError.from(err),
  );
  if (outcome === undefined) throw new Error("Expected the call to fail, it succeeded");
  return outcome;
}
