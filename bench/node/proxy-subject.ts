/**
 * Our half of the comparison of proxies: apid's gateway with its roles, routing and accounts before a server that returns bytes.
 *
 * usage: proxy-subject.ts serve|proxy <options as JSON>
 */
import { readFileSync } from "node:fs";
import { createServer, type Listening } from "@talos-ts/grpc";
import { maxMessageBytes, requestBounds } from "@talos-ts/machinery/constants";
import { createBackends } from "../../packages/apid/src/backends.ts";
import { createCallerAccounts } from "../../packages/apid/src/caller-accounts.ts";
import { createGateway } from "../../packages/apid/src/gateway.ts";
import { openForwardingChannel } from "../../packages/apid/src/local-channel.ts";

interface Options {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  readonly socket: string;
  /** Answer of the server, in base64. */
  readonly response: string;
  /** Bytes of each message of a stream without end, which then is the answer to every call. */
  readonly messageBytes?: number;
}

const programs: Readonly<Record<string, (options: Options) => Promise<Listening>>> = {
  serve({ socket, response, messageBytes = 0 }) {
    const answer = messageBytes > 0 ? Buffer.alloc(messageBytes) : Buffer.from(response, "base64");
    const answers = messageBytes > 0 ? Number.POSITIVE_INFINITY : 1;
    const server = createServer().setFallback(async (call) => {
      // As the peer does: one message is awaited, whatever may follow it.
      await call.requests.next();
      for (let sent = 0; sent < answers; sent += 1) await call.send(answer);
    });
    return server.listen({ unix: socket });
  },
  proxy({ authority, certificate, key, socket }) {
    const ca = readFileSync(authority);
    const material = { cert: readFileSync(certificate), key: readFileSync(key), ca };
    const local = openForwardingChannel(socket);
    const gateway = createGateway({
      mode: { nodeRoutingDisabled: false, readonlyRoleMode: false, skipVerifyingClientCert: false },
      local,
      backends: createBackends({ port: 50_000, material: () => undefined }),
      view: { canForward: false, self: new Set(["127.0.0.1"]) },
      accounts: createCallerAccounts(),
      log: () => undefined,
    });
    const server = createServer({ maxReceiveBytes: maxMessageBytes, methodBounds: requestBounds }).setFallback(gateway);
    return server.listen({ host: "127.0.0.1", port: 0, tls: { material, clientAuth: "require" } });
  },
};

const [name = "", options = ""] = process.argv.slice(2);
const { address } = (await programs[name]?.(JSON.parse(options) as Options)) ?? {};
console.log(address);
process.stdin.on("end", () => process.exit()).resume();
