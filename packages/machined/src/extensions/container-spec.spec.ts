import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { extensionContainerSpec, parseEnvironmentFile } from "./container-spec.ts";
import { parseExtensionService } from "./service-spec.ts";

const spec = parseExtensionService(
  "name: hello\nrestart: always\ncontainer: {entrypoint: ./hello, args: [--x], environment: [A=own, B=own]," +
    " mounts: [{source: /run, destination: /run, type: bind, options: [rbind]}]}\n",
  "hello.yaml",
);
const make = (changes: object = {}) =>
  extensionContainerSpec({
    spec,
    rootfs: "/system/extensions/overlays/hello/merged",
    settings: { files: [{ mountPath: "/etc/hello.conf" }], environment: ["B=configured"] },
    fileEnvironment: ["A=file", "C=file"],
    grantable: ["CAP_NET_ADMIN"],
    ...changes,
  });

describe("extensionContainerSpec()", () => {
  it("runs the entry point with the machine's network and all capabilities, on a read-only root", () => {
    const made = make();
    assert.deepEqual(made.process.args, ["./hello", "--x"]);
    assert.deepEqual(made.process.capabilities.bounding, ["CAP_NET_ADMIN"]);
    assert.deepEqual(made.root, { path: "/system/extensions/overlays/hello/merged", readonly: true });
    assert.ok(!made.linux.namespaces.some(({ type }) => type === "network"));
    assert.equal(made.linux.cgroupsPath, "/system/extensions/hello");
    assert.equal(made.linux.seccomp, undefined);
  });

  it("lets the configuration win over the description, and that over the environment file", () => {
    const { env } = make().process;
    assert.deepEqual(
      env.filter((entry) => /^[ABC]=/.test(entry)),
      ["A=own", "C=file", "B=configured"],
    );
  });

  it("mounts configured files read-only, and replaces mounts of the same place", () => {
    const { mounts } = make();
    const file = mounts.find(({ destination }) => destination === "/etc/hello.conf");
    assert.equal(file?.source, "/system/extensions/config/hello/%2Fetc%2Fhello.conf");
    assert.ok(file.options.includes("ro"));
    assert.deepEqual(mounts.find(({ destination }) => destination === "/run")?.options, ["rbind"]);
    assert.ok(mounts.find(({ destination }) => destination === "/sys")?.options.includes("ro"));
  });
});

describe("parseEnvironmentFile()", () => {
  it("reads variables and nothing else", () => {
    const text = "# comment\nA=1\n\nexport B='two words'\nC=\"x=y\" \nnot a variable\n";
    assert.deepEqual(parseEnvironmentFile(text), ["A=1", "B=two words", "C=x=y"]);
  });
});
