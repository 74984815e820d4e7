import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { loadConfig } from "@talos-ts/machinery/config";
import { runCommand } from "../../testing/run-command.ts";

describe("talosctl image cache-cert-gen", () => {
  it("makes a certificate of a CA, and the patch by which nodes trust it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "certs-"));
    const path = (name: string): string => join(folder, name);
    try {
      const flags = [
        "--tls-ca-file",
        path("ca.crt"),
        "--tls-cert-file",
        path("tls.crt"),
        "--tls-key-file",
        path("tls.key"),
      ];
      const names = ["--advertised-address", "10.5.0.1", "--advertised-name", "cache.test"];
      const argv = ["image", "cache-cert-gen", ...names, ...flags, "--patch-file", path("patch.yaml")];
      const made = await runCommand(argv);
      assert.equal(made.code, 0, made.err);
      assert.equal(made.out, "");
      const [ca, leaf] = await Promise.all(["ca.crt", "tls.crt"].map((name) => readFile(path(name), "utf8")));
      const certificate = new X509Certificate(leaf ?? "");
      assert.equal(certificate.subjectAltName, "DNS:cache.test, IP Address:10.5.0.1");
      assert.ok(certificate.verify(new X509Certificate(ca ?? "").publicKey));
      const patch = await readFile(path("patch.yaml"), "utf8");
      assert.match(patch, /^kind: TrustedRootsConfig$/m);
      assert.doesNotThrow(() => loadConfig(patch));
      assert.match((await runCommand(argv)).err, /already exists, use --force/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("wants an address or a name", async () => {
    assert.match((await runCommand(["image", "cache-cert-gen"])).err, /an address or a name/);
  });
});
