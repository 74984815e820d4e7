import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { CommandResult, Linux, NamespaceCommand } from "@talos-ts/linux";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { NetworkProblem, NfTablesChain, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { nfTablesChainConfigController } from "./nftables-chain-config.ts";
import { nfTablesChainController } from "./nftables-chain.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

const chain = createResource(
  NfTablesChain,
  "ingress",
  NfTablesChain.spec({ type: "filter", hook: "input", priority: "filter", policy: "drop" }),
);

function memory(answer: () => Partial<CommandResult>): { readonly linux: Linux; readonly scripts: string[] } {
  const scripts: string[] = [];
  const nft = ({ input = "" }: NamespaceCommand): Partial<CommandResult> => {
    scripts.push(input.toString());
    return answer();
  };
  return { linux: createMemoryLinux({ programs: { nft } }), scripts };
}

describe("nfTablesChainController()", () => {
  it("loads the chains once, and takes the table away with the last one", async () => {
    const { linux, scripts } = memory(() => ({}));
    await using kit = controllerTest({ register: [nfTablesChainController({ linux })] });
    await kit.settled();
    await kit.create(chain);
    await kit.settled();
    assert.match(scripts.at(-1) ?? "", /chain ingress/);
    await kit.remove(chain);
    await kit.settled();
    assert.equal(scripts.at(-1), "add table inet talos\ndelete table inet talos\n");
    assert.equal(scripts.length, 3);
  });
  it("tells what nft says when it refuses", async () => {
    let refuses = true;
    const { linux } = memory(() => (refuses ? { exitCode: 1, stderr: "Error: syntax error\nmore" } : {}));
    await using kit = controllerTest({ register: [nfTablesChainController({ linux })] });
    await kit.create(chain);
    await kit.assertResource(NetworkProblem, "firewall/ingress", ({ spec }) =>
      assert.equal(spec.reason, "Cannot load the ingress firewall with nft: exit code 1: Error: syntax error"),
    );
    refuses = false;
    await kit.update(NfTablesChain, "ingress", (spec) => ({ ...spec, policy: "accept" as const }));
    await kit.assertNoResource(NetworkProblem, "firewall/ingress");
  });
});

/** Runs a command in a namespace, and gives what it printed. */
type InNamespace = (command: string, ...args: readonly string[]) => Promise<string>;

const connectScript = (host: string, port: number): string =>
  `const s = require("net").connect({ host: "${host}", port: ${String(port)}, timeout: 5000 });` +
  `s.on("connect", () => { console.log("open"); process.exit(); });` +
  `s.on("timeout", () => { console.log("dropped"); process.exit(); });` +
  `s.on("error", (e) => { console.log(e.code); process.exit(); });`;

describe("the ingress firewall in the kernel", { skip: cannotOwnNetwork }, () => {
  it("drops what no rule lets in, and lets in the rest", async (context) => {
    await using node = await createOwnNetwork();
    await using client = await createOwnNetwork();
    const run = (network: string): InNamespace => {
      return async (command, ...args) =>
        (await node.linux.namespaces.run({ enter: { network }, command, arguments: args })).stdout.trim();
    };
    const has = await node.linux.namespaces.run({ command: "nft", arguments: ["--version"] }).catch(() => undefined);
    if (has?.exitCode !== 0) return context.skip("nft is not installed");
    const peer = { name: "eth0", networkNamespace: { path: node.path } };
    const outer = await client.network.createLink({ name: "eth0", info: { kind: "veth", peer }, up: true });
    const inner = await node.network.link("eth0");
    assert.ok(outer !== undefined && inner !== undefined);
    await node.network.changeLink(inner.index, { up: true });
    await client.network.addAddress({ address: "192.0.2.1/24", linkIndex: outer.index });
    await node.network.addAddress({ address: "192.0.2.2/24", linkIndex: inner.index });

    const linux: Linux = {
      ...node.linux,
      namespaces: {
        ...node.linux.namespaces,
        run: (command) => node.linux.namespaces.run({ ...command, enter: { network: node.path } }),
      },
    };
    const register = [nfTablesChainConfigController(), nfTablesChainController({ linux })];
    await using kit = controllerTest({ register });
    const rule = `apiVersion: v1alpha1
kind: NetworkRuleConfig
name: a
portSelector: {ports: [8001], protocol: tcp}
ingress: [{subnet: 192.0.2.0/24}]
`;
    const block = "apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n";
    const config = activeResource(mainDocument(), block, rule);
    await kit.create(
      createResource(NodeAddress, NodeAddress.ids.routed, NodeAddress.spec({ addresses: ["192.0.2.2/24"] })),
    );
    const probe = (port: number) => run(client.path)(process.execPath, "-e", connectScript("192.0.2.2", port));
    assert.equal(await probe(8002), "ECONNREFUSED", "without a firewall the kernel answers");
    const loaded = loggedChains(kit.logs);
    await kit.create(config);
    await kit.assertResource(NfTablesChain, "prerouting");
    await loaded;
    assert.equal(await probe(8002), "dropped");
    assert.equal(await probe(8001), "ECONNREFUSED", "a rule lets the connection in, and nobody listens");
    assert.match(await run(node.path)("nft", "list", "table", "inet", "talos"), /chain prerouting/);
    await kit.remove(config);
    await kit.assertNoResource(NfTablesChain, "ingress");
    while ((await run(node.path)("nft", "list", "tables")).includes("talos")) await kit.settled();
    assert.equal(await probe(8002), "ECONNREFUSED");
  });
});

/** Resolves once the prerouting chain was loaded. */
async function loggedChains(logs: readonly { readonly message: string; readonly fields?: unknown }[]): Promise<void> {
  const isLoaded = () => logs.some((line) => JSON.stringify(line).includes("ingress, prerouting"));
  while (!isLoaded()) await new Promise((resolve) => setImmediate(resolve));
}
