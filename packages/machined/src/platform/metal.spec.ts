import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { parseKernelArguments } from "../command-line/kernel-arguments.ts";
import { metalPlatform } from "./metal.ts";

const { signal } = new AbortController();
const platform = (cmdline: string) => metalPlatform(parseKernelArguments(cmdline));

describe("metalPlatform()", () => {
  it("downloads the configuration that the kernel's command line names", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/config.yaml") response.end("version: v1alpha1\n");
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
      const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
      const found = await platform(`talos.config=${origin}/config.yaml`).configuration(signal);
      assert.equal(found?.toString(), "version: v1alpha1\n");
      await assert.rejects(platform(`talos.config=${origin}/other`).configuration(signal), {
        code: "platform/config-download",
        message: /expected status 200, got 404/,
      });
    } finally {
      server.close();
    }
  });
  it("has none without an address, and refuses what is none", async () => {
    for (const cmdline of ["", "talos.config=none", "talos.config="]) {
      assert.equal(await platform(cmdline).configuration(signal), undefined);
    }
    await assert.rejects(platform("talos.config=metal-iso").configuration(signal), { code: "platform/config-url" });
  });
});
