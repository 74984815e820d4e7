import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { diagnose } from "./diagnosis.ts";
import { probeEndpoint } from "./probe-endpoint.ts";

const listen = `require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () { console.log(this.address().port); });`;

/** A host that drops every packet to a port: the process behind it is stopped and its queue of connections is full. */
async function droppingPort(): Promise<AsyncDisposable & { readonly port: number }> {
  const child = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  child.kill("SIGSTOP");
  const sockets: Socket[] = [];
  for (let index = 0; index < 8; index += 1) sockets.push(connect(port, "127.0.0.1").on("error", () => undefined));
  const [first] = sockets;
  if (first?.connecting === true) await once(first, "connect");
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("probeEndpoint()", () => {
  it("tells a port whose packets are dropped from one that is closed", async () => {
    await using dropping = await droppingPort();
    const facts = await probeEndpoint(`127.0.0.1:${String(dropping.port)}`, undefined);
    assert.equal(facts.tcpError, "ETIMEDOUT");
    const client = { context: "a", ca: undefined, certificate: undefined, others: new Map(), now: new Date() };
    const found = diagnose(facts, client);
    assert.equal(found?.code, "doctor/port-filtered");
    assert.match(found?.sentence ?? "", /does not answer on port \d+ \(i\/o timeout\)/);
  });
});
