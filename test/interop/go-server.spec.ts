import { join } from "node:path";
import { after, before, describe } from "node:test";
import { createChannel, forwardCall, createServer, type Channel } from "@talos-ts/grpc";
import { createAuthority } from "@talos-ts/grpc/testing";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { converse } from "./conversation.ts";
import { startGoServer } from "./go-program.ts";
import { writeTls } from "./tls-files.ts";

describe("our client", () => {
  const stack = new AsyncDisposableStack();
  const channels = new Map<string, Channel>();
  const channel = (name: string) => (): Channel => channels.get(name) as Channel;

  before(async () => {
    const directory = stack.use(await temporaryDirectory());
    const unix = stack.use(await startGoServer(`unix://${join(directory.path, "s")}`));
    channels.set("unix", stack.use(createChannel({ target: `unix://${unix.address}` })));

    const authority = createAuthority();
    const identity = authority.issue({ names: ["127.0.0.1", "localhost"] });
    const files = await writeTls(directory.path, { ...identity, ca: authority.ca });
    const secure = stack.use(await startGoServer("127.0.0.1:0", files));
    const material = { ...authority.issue({ organizations: ["os:admin"] }), ca: authority.ca };
    channels.set("ip", stack.use(createChannel({ target: secure.address, tls: { material } })));
    const byName = secure.address.replace("127.0.0.1", "localhost");
    channels.set("name", stack.use(createChannel({ target: `dns:///${byName}`, tls: { material } })));

    const backend = stack.use(createChannel({ target: secure.address, tls: { material } }));
    const proxy = stack.use(
      createServer({ graceMs: 0 }).setFallback((call) => forwardCall(call, { channel: backend })),
    );
    const front = await proxy.listen({ unix: join(directory.path, "proxy") });
    channels.set("proxy", stack.use(createChannel({ target: front.address })));
  });
  after(() => stack.disposeAsync());

  converse("a Go server over a unix socket", channel("unix"));
  converse("a Go server over mutual TLS by IP address", channel("ip"));
  converse("a Go server over mutual TLS by name", channel("name"));
  converse("a Go server through the proxy", channel("proxy"));
});
