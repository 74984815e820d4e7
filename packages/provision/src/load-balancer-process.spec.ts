import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { planCluster } from "./cluster-plan.ts";
import { endHostProcesses } from "./host-process.ts";
import { startLoadBalancer } from "./load-balancer-process.ts";

/** Listens on the port of the Kubernetes API and answers with its command line. */
const program = `
const words = process.argv;
const host = words[words.indexOf("--listen") + 1];
require("node:net").createServer((socket) => socket.on("error", () => {}).end(words.join(" "))).listen(6443, host);
`;

async function answer(host: string): Promise<string> {
  const socket = connect({ host, port: 6443 });
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString();
}

describe("startLoadBalancer()", () => {
  const command = [process.execPath, "-e", program, "--"];

  it("balances over all control planes, in a process that ends with the cluster", async () => {
    await using folder = await temporaryDirectory();
    const plan = planCluster({ name: "a", subnet: "127.78.0.0/24", controlPlanes: 3 }, folder.path);
    const placed = { ...plan, directory: folder.path };
    await startLoadBalancer(placed, command);
    assert.match(await answer("127.78.0.1"), /--upstreams 127\.78\.0\.2,127\.78\.0\.3,127\.78\.0\.4 /);
    await endHostProcesses(folder.path);
    await assert.rejects(async () => {
      for (;;) await answer("127.78.0.1");
    });
  });

  it("starts nothing for a single control plane", async () => {
    await using folder = await temporaryDirectory();
    const plan = planCluster({ name: "a", subnet: "127.79.0.0/24" }, folder.path);
    await startLoadBalancer({ ...plan, directory: folder.path }, ["/no/such/program"]);
  });
});
