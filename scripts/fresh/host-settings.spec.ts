import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { networkEnvironment, networkFiles } from "./host-settings.ts";

test("networkEnvironment keeps how registries are reached, and no program of the host", () => {
  const env = {
    PATH: "/opt/node/bin",
    HTTPS_PROXY: "http://proxy:3128",
    no_proxy: "localhost",
    GOPROXY: "https://modules.example",
    GOROOT: "/usr/local/go",
    NODE_OPTIONS: "--import /x.mjs",
    NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt",
    SSL_CERT_FILE: "",
  };
  assert.deepEqual(Object.keys(networkEnvironment(env)).sort(), [
    "GOPROXY",
    "HTTPS_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "no_proxy",
  ]);
});

test("networkFiles gives the settings of npm and Go that exist", async () => {
  await using home = await temporaryDirectory();
  const inside = (): string[] => networkFiles(home.path).map(([, path]) => path);
  assert.ok(!inside().includes("/root/.npmrc"));
  await writeFile(join(home.path, ".npmrc"), "registry=https://npm.example\n");
  await mkdir(join(home.path, ".config/go"), { recursive: true });
  await writeFile(join(home.path, ".config/go/env"), "GOPROXY=https://modules.example\n");
  assert.ok(inside().includes("/root/.npmrc"));
  assert.ok(inside().includes("/root/.config/go/env"));
});
