import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseCertificate } from "@talos-ts/crypto";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { runCommand } from "../../testing/run-command.ts";

describe("gen config", () => {
  const badEndpoints: readonly (readonly [text: string, message: string])[] = [
    ["10.5.0.2", 'no scheme and port specified for the cluster endpoint URL\ntry: "https://10.5.0.2:6443"\n'],
    ["10.5.0.2:7443", 'no scheme specified for the cluster endpoint URL\ntry: "https://10.5.0.2:7443"\n'],
    ["http://demo", 'the control plane endpoint URL should have scheme https://\ntry: "https://demo:6443"\n'],
  ];
  for (const [endpoint, message] of badEndpoints) {
    it(`refuses the endpoint ${endpoint} and tells the URL that was probably meant`, async () => {
      const { err, code } = await runCommand(["gen", "config", "demo", endpoint]);
      assert.equal(code, 1);
      assert.ok(err.startsWith(message), err);
    });
  }

  it("fails without an output type, and writes nothing", async () => {
    await using folder = await temporaryDirectory();
    const argv = ["gen", "config", "demo", "https://10.5.0.2:6443", "--output", folder.path, "--output-types", ""];
    const { err, code } = await runCommand(argv);
    assert.deepEqual([err.split("\n")[0], code], ["at least one output type must be specified", 1]);
    assert.deepEqual(await readdir(folder.path), []);
  });
});

describe("gen keypair", () => {
  it("names the address in the certificate", async () => {
    await using folder = await temporaryDirectory();
    const organization = join(folder.path, "demo");
    const argv = ["gen", "keypair", "--organization", organization, "--ip", "10.5.0.2"];
    assert.deepEqual(await runCommand(argv), { out: "", err: "", code: 0 });
    assert.deepEqual(parseCertificate(await readFile(`${organization}.crt`, "utf8")).ipAddresses, ["10.5.0.2"]);
  });
  it("refuses what is no address", async () => {
    const { err, code } = await runCommand(["gen", "keypair", "--organization", "x", "--ip", "10.5"]);
    assert.deepEqual([err, code], ['Cannot use "10.5" for --ip: expected an IP address\n', 1]);
  });
});
