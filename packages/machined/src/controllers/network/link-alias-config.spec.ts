import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LinkAliasSpec, LinkStatus } from "@talos-ts/machinery/resources/network";
import { activeResource } from "../internal/testing.ts";
import { linkAliasConfigController } from "./link-alias-config.ts";

const card = (name: string, index: number, driver: string) =>
  createResource(LinkStatus, name, LinkStatus.spec({ index, driver, type: "ether" }));
const alias = (name: string, match: string): string =>
  `apiVersion: v1alpha1\nkind: LinkAliasConfig\nname: ${name}\nselector:\n  match: ${match}\n`;

describe("linkAliasConfigController()", () => {
  it("gives the card that a selector chooses its alias, and numbers several", async () => {
    await using kit = controllerTest({ register: [linkAliasConfigController()] });
    await kit.create(
      card("enp1s0", 2, "e1000"),
      card("enp2s0", 3, "virtio_net"),
      card("enp3s0", 4, "virtio_net"),
      createResource(LinkStatus, "br0", LinkStatus.spec({ index: 5, type: "ether", kind: "bridge" })),
      activeResource(
        alias("broken", "link.mtu / 0u == 1u"),
        alias("uplink", 'link.driver == "e1000"'),
        alias("two", 'link.driver == "virtio_net"'),
        alias("net%d", 'glob("*net", link.driver)'),
      ),
    );
    const aliases = { enp1s0: "uplink", enp2s0: "net0", enp3s0: "net1" };
    for (const [link, expected] of Object.entries(aliases)) {
      await kit.assertSpec(LinkAliasSpec, link, { alias: expected });
    }
    await kit.assertNoResource(LinkAliasSpec, "br0");
    const warned = kit.logs.filter(({ message }) => message.startsWith("link alias not assigned"));
    assert.ok(warned.length >= 2);
  });
});
