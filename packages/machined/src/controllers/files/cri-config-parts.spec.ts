import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { parseToml } from "../../toml/parse.ts";
import { criFiles } from "./testing/cri-files.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("criConfigPartsController()", () => {
  it("joins the parts with the settings of the main file, and says which it has", async () => {
    await using kit = await criFiles();
    const contents = '[plugins."io.containerd.grpc.v1.cri"]\nsandbox_image = "own/pause"\n';
    const part = { contents, mode: 0o600, selinuxLabel: "" };
    await kit.create(createResource(EtcFileSpec, "cri/conf.d/20-customization.part", part));
    const { metadata, spec } = await kit.assertResource(EtcFileSpec, "cri/conf.d/cri.toml", (file) => {
      assert.match(file.spec.contents, /own\/pause/);
      assert.match(file.spec.contents, /config_path/);
    });
    const settings = plain(parseToml(spec.contents)) as {
      readonly plugins: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const plugin = settings.plugins["io.containerd.grpc.v1.cri"];
    assert.deepEqual(plugin?.["cni"], { bin_dir: "/opt/cni/bin", conf_dir: "/etc/cni/net.d" });
    assert.deepEqual(plugin["registry"], { config_path: "/etc/cri/conf.d/hosts" });
    const source = metadata.annotations["talos.dev/source-file:/etc/cri/conf.d/20-customization.part"];
    assert.match(source ?? "", /^[0-9a-f]{64}$/);
  });
});
