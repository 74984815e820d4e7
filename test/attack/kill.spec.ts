import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createChannel, createClient, type ClientTls } from "@talos-ts/grpc";
import { contextTls } from "@talos-ts/machinery/client";
import { apidPort } from "@talos-ts/machinery/constants";
import { contextCredentials, openTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import { ApplyConfigurationRequest_Mode as Mode } from "@talos-ts/proto/machine/config";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { restartNode, type NodePlan } from "@talos-ts/provision";
import { eventually } from "../integration/cluster-support.ts";
import { createNodes, unsealed, type Nodes } from "../integration/lifecycle-support.ts";

/** Nodes that are killed at the same time, and how often each is. */
const [machines, rounds] = process.env["ATTACK"] === "full" ? [4, 50] : [2, 3];
/** Longest time between the acknowledgement and the kill, in ms. */
const withinMs = 25;

describe("kill -9 of PID 1 right after an acknowledged apply", () => {
  let nodes: Nodes;
  let tls: ClientTls;

  before(async () => {
    nodes = await createNodes({
      name: "kills",
      subnet: "10.177.0.0/24",
      workers: machines - 1,
      startConfig: (_node, good) => good,
    });
    const { config } = await openTalosconfig(join(nodes.home.path, ".talos/config"), { env: {} });
    tls = contextTls(contextCredentials(resolveContext(config), config.context));
  });
  after(() => nodes[Symbol.asyncDispose]());

  /** The configuration of a node with a name that tells one round from the others. */
  const marked = (node: NodePlan, name: string): string =>
    nodes.goodConfig(node).replace(/^( +certSANs:\n)( +)(?=- )/m, `$1$2- ${name}\n$2`);

  const apply = async (node: NodePlan, text: string): Promise<void> => {
    await using channel = createChannel({ target: `${node.address}:${String(apidPort)}`, tls });
    const client = createClient(MachineService, channel);
    await client.applyConfiguration({ data: Buffer.from(text), mode: Mode.NO_REBOOT }, { timeoutMs: 60_000 });
  };

  const answers = async (node: NodePlan): Promise<boolean> => {
    await using channel = createChannel({ target: `${node.address}:${String(apidPort)}`, tls });
    return await createClient(MachineService, channel)
      .version({}, { timeoutMs: 10_000 })
      .then(
        () => true,
        () => false,
      );
  };

  it(`loses none of ${String(machines * rounds)}`, async () => {
    const lost: string[] = [];
    /** Restarts of nodes share the lock of the cluster. */
    let restarting = Promise.resolve();
    await Promise.all(
      nodes.plan.nodes.map(async (node) => {
        for (let round = 0; round < rounds; round += 1) {
          await eventually(
            () => answers(node),
            (up) => up,
            180_000,
          );
          const name = `round-${String(round)}.example.org`;
          const text = marked(node, name);
          assert.ok(text.includes(name), text);
          const init = await nodes.init(node);
          await apply(node, text);
          await pause((withinMs * round) / rounds);
          process.kill(init, "SIGKILL");
          const stored = unsealed(await readFile(join(nodes.volume(node, "state"), "config.yaml"), "utf8"));
          if (!stored.includes(name)) lost.push(`${node.name} ${name}`);
          restarting = restarting.then(() =>
            restartNode({ name: nodes.plan.name, node: node.name, clustersDirectory: nodes.clustersDirectory }),
          );
          await restarting;
        }
      }),
    );
    assert.deepEqual(lost, []);
    // What is on disk is also what the machines run with.
    for (const node of nodes.plan.nodes) {
      await eventually(
        () => answers(node),
        (up) => up,
        180_000,
      );
      const { stdout } = await nodes.home.talosctl("-n", node.address, "-e", node.address, "get", "mc", "-o", "yaml");
      assert.match(stdout, new RegExp(`round-${String(rounds - 1)}\\.example\\.org`));
    }
  });
});
