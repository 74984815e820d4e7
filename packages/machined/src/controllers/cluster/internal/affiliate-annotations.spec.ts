import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Affiliate } from "@talos-ts/machinery/resources/cluster";
import { affiliateFromNode, annotationsOf } from "./affiliate-annotations.ts";

describe("annotationsOf() and affiliateFromNode()", () => {
  it("carry an affiliate through the annotations of its node", () => {
    const spec = Affiliate.spec({
      nodeId: "abc",
      addresses: ["10.5.0.2", "fd00::2"],
      hostname: "cp-1.example.org",
      nodename: "cp-1",
      operatingSystem: "Talos (v1.13.9)",
      machineType: "controlplane",
      controlPlane: { port: 6443 },
    });
    const annotations = annotationsOf(spec);
    assert.equal(annotations["networking.talos.dev/kubespan-ip"], null);
    const kept = Object.fromEntries(
      Object.entries(annotations).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const node = {
      metadata: { name: "cp-1", annotations: kept, labels: { "node-role.kubernetes.io/control-plane": "" } },
      status: {
        addresses: [{ type: "Hostname", address: "cp-1.example.org" }],
        nodeInfo: { osImage: "Talos (v1.13.9)" },
      },
    };
    assert.deepEqual(affiliateFromNode(node), spec);
  });

  it("leave out nodes that are none of this system", () => {
    assert.equal(affiliateFromNode({ metadata: { name: "x" } }), undefined);
  });
});
