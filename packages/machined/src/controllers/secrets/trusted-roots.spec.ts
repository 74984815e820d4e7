import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { activeResource, testSecrets } from "../internal/testing.ts";
import { trustedRootsController } from "./trusted-roots.ts";

describe("trustedRootsController()", () => {
  it("adds authorities of the configuration to those of the image", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "etc/ssl/certs"), { recursive: true });
    await writeFile(join(directory.path, "etc/ssl/certs/ca-certificates.crt"), "image\n");
    await using test = controllerTest({ register: [trustedRootsController({ root: directory.path })] });
    const id = "ssl/certs/ca-certificates.crt";
    await test.assertSpec(EtcFileSpec, id, { contents: "image\n", mode: 0o644, selinuxLabel: "" });
    const { certs } = await testSecrets();
    const text = `apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: mine\ncertificates: |\n${certs.os.crt.replaceAll(/^/gm, "  ")}`;
    await test.create(activeResource(text));
    await test.assertResource(EtcFileSpec, id, ({ spec }) =>
      assert.match(spec.contents, /^image\n-----BEGIN CERTIFICATE/),
    );
  });
});
