import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { discoveryEndpoint, startDiscovery } from "./discovery-process.ts";
import { endHostProcesses } from "./host-process.ts";

/** Listens where it is told, and says so once for each process. */
const program = `
const listen = process.argv[process.argv.indexOf("--listen") + 1];
const at = listen.lastIndexOf(":");
require("node:net").createServer((socket) => socket.on("error", () => {}).end(String(process.pid))).listen(Number(listen.slice(at + 1)), listen.slice(0, at), () => console.log("listening"));
`;

async function answer(host: string): Promise<string> {
  const socket = createConnection({ host, port: 3000 });
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString();
}

describe("startDiscovery()", () => {
  it("runs one process for a cluster until it is ended", async () => {
    await using folder = await temporaryDirectory();
    const network = { gateway: "127.77.0.1", subnet: "127.77.0.0/24", prefixLength: 24, mtu: 1500 };
    const plan = { directory: folder.path, network };
    assert.equal(discoveryEndpoint(plan), "http://127.77.0.1:3000/");
    const command = [process.execPath, "-e", program, "--"];
    await startDiscovery(plan, command);
    const first = await answer(network.gateway);
    await startDiscovery(plan, command);
    assert.equal(await answer(network.gateway), first);
    assert.equal(await readFile(join(folder.path, "discovery.log"), "utf8"), "listening\n");
    await endHostProcesses(folder.path);
    await assert.rejects(answer(network.gateway));
    await startDiscovery(plan, command);
    assert.notEqual(await answer(network.gateway), first);
    await endHostProcesses(folder.path);
    await endHostProcesses(folder.path);
  });
});
