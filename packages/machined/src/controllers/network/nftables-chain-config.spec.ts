import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NfTablesChain, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { nfTablesChainConfigController } from "./nftables-chain-config.ts";

const rule = `apiVersion: v1alpha1
kind: NetworkRuleConfig
name: kubelet-ingress
portSelector:
  ports: [10250, 2379-2380]
  protocol: tcp
ingress:
  - subnet: 172.20.0.0/24
    except: 172.20.0.1/32
`;
const block = "apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n";

describe("nfTablesChainConfigController()", () => {
  it("blocks everything but the rules, answers, ICMP and pods", async () => {
    await using kit = controllerTest({ register: [nfTablesChainConfigController()] });
    await kit.create(
      createResource(
        NodeAddress,
        NodeAddress.ids.routed,
        NodeAddress.spec({ addresses: ["172.20.0.2/24", "fd00::2/64"] }),
      ),
      activeResource(mainDocument("features: {hostDNS: {enabled: true, forwardKubeDNSToHost: true}}"), block, rule),
    );
    const { spec: ingress } = await kit.assertResource(NfTablesChain, "ingress");
    assert.partialDeepStrictEqual(ingress, { type: "filter", hook: "input", policy: "drop" });
    assert.equal(ingress.priority, "NfTablesChainPriority(-140)");
    assert.equal(ingress.rules.length, 10);
    assert.deepEqual(ingress.rules[0]?.matchIIfName?.interfaceName, ["lo", "siderolink", "kubespan"]);
    assert.partialDeepStrictEqual(ingress.rules.at(-1), {
      matchSourceAddress: { includeSubnets: ["172.20.0.0/24"], excludeSubnets: ["172.20.0.1/32"], invert: false },
      matchLayer4: {
        protocol: "tcp",
        matchDestinationPort: {
          ranges: [
            { lo: 2379, hi: 2380 },
            { lo: 10_250, hi: 10_250 },
          ],
        },
      },
      verdict: "accept",
    });
    const { spec: prerouting } = await kit.assertResource(NfTablesChain, "prerouting");
    assert.partialDeepStrictEqual(prerouting, { hook: "prerouting", policy: "accept" });
    assert.partialDeepStrictEqual(prerouting.rules[1], {
      matchDestinationAddress: { includeSubnets: ["172.20.0.2/32", "fd00::2/128"], invert: true },
      verdict: "accept",
    });
    assert.deepEqual(
      prerouting.rules.slice(-2).map(({ matchLayer4, verdict }) => [matchLayer4?.protocol, verdict]),
      [
        ["tcp", "drop"],
        ["udp", "drop"],
      ],
    );
  });
  it("drops what a rule does not let in when everything else is accepted, and filters nothing without documents", async () => {
    await using kit = controllerTest({ register: [nfTablesChainConfigController()] });
    const config = activeResource(mainDocument(), rule);
    await kit.create(config);
    const { spec } = await kit.assertResource(NfTablesChain, "ingress", (chain) =>
      assert.equal(chain.spec.policy, "accept"),
    );
    assert.equal(spec.rules.length, 2);
    assert.partialDeepStrictEqual(spec.rules[1], { matchSourceAddress: { invert: true }, verdict: "drop" });
    await kit.remove(config);
    await kit.create(activeResource(mainDocument()));
    await kit.assertNoResource(NfTablesChain, "ingress");
  });
});
