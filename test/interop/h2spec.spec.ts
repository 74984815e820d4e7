import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { createAuthority } from "@talos-ts/grpc/testing";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { attachSocket } from "@talos-ts/http2";
import { respond } from "@talos-ts/http2/testing";
import { buildGoModule } from "../../scripts/lib/go-module.ts";

const cases = 146;
let program = "";

/** Runs every strict case; the result is h2spec's own summary. */
async function h2spec(server: Server, kind: "plain" | "tls"): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const child = spawn(program, ["127.0.0.1", String(port), kind], { stdio: ["ignore", "pipe", "inherit"] });
  const output = (await Array.fromAsync(child.stdout)).join("");
  const failures = output.split("\n").filter((line) => /^\s*(?:×|->|Expected:|Actual:)/.test(line));
  server.close();
  return failures.length > 0 ? failures.join("\n") : (/^\d+ tests.*$/m.exec(output)?.[0] ?? output);
}

function serve(socket: Socket): void {
  attachSocket(socket, { role: "server" }, { request: respond });
}

describe("h2spec", () => {
  before(async () => {
    program = await buildGoModule(join(import.meta.dirname, "go-h2spec"));
  });
  const allPassed = `${String(cases)} tests, ${String(cases)} passed, 0 skipped, 0 failed`;

  it("finds nothing over TLS", async () => {
    const { cert, key } = createAuthority().issue({ names: ["127.0.0.1"] });
    const server = createTlsServer({ cert, key, ALPNProtocols: ["h2"] }, serve);
    server.on("tlsClientError", () => {});
    assert.equal(await h2spec(server, "tls"), allPassed);
  });

  it("finds nothing over a unix socket", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "s");
    const backend = createServer(serve).listen(path);
    await once(backend, "listening");
    // h2spec dials TCP only: a relay of bytes stands before the socket.
    const relay = createServer({ allowHalfOpen: false }, (socket) => {
      const behind = connect(path);
      socket.pipe(behind).pipe(socket);
      for (const each of [socket, behind]) {
        each.on("error", () => {});
        each.on("close", () => {
          socket.destroy();
          behind.destroy();
        });
      }
    });
    assert.equal(await h2spec(relay, "plain"), allPassed);
    backend.close();
  });
});
