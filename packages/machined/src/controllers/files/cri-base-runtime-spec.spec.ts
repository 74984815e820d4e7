import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { criFiles } from "./testing/cri-files.ts";

describe("criBaseRuntimeSpecController()", () => {
  it("has the changes of the configuration, which containerd is told of once they are written", async () => {
    await using kit = await criFiles();
    await kit.create(
      activeResource(
        mainDocument(
          "baseRuntimeSpecOverrides:",
          "  process:",
          "    rlimits: [{type: RLIMIT_NOFILE, hard: 1024, soft: 1024}]",
        ),
      ),
    );
    await kit.assertResource(EtcFileSpec, "cri/conf.d/base-spec.json", ({ spec }) => {
      const { process } = JSON.parse(spec.contents) as { readonly process: Readonly<Record<string, unknown>> };
      assert.equal(process["cwd"], "/");
      assert.deepEqual(process["rlimits"], [{ type: "RLIMIT_NOFILE", hard: 1024, soft: 1024 }]);
    });
    await kit.create(createResource(EtcFileStatus, "cri/conf.d/base-spec.json", { specVersion: "1" }));
    await kit.assertResource(EtcFileSpec, "cri/conf.d/cri.toml", ({ spec }) =>
      assert.match(spec.contents, /base_runtime_spec = "\/system\/etc\/cri\/conf\.d\/base-spec\.json"/),
    );
  });
  it("leaves containerd its own way while nothing is changed", async () => {
    await using kit = await criFiles();
    await kit.create(
      activeResource(mainDocument()),
      createResource(EtcFileStatus, "cri/conf.d/base-spec.json", { specVersion: "1" }),
    );
    await kit.assertResource(EtcFileSpec, "cri/conf.d/base-spec.json");
    await kit.settled();
    await kit.assertResource(EtcFileSpec, "cri/conf.d/cri.toml", ({ spec }) =>
      assert.doesNotMatch(spec.contents, /base_runtime_spec/),
    );
  });
});
