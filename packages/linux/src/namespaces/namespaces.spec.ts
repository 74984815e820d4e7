import assert from "node:assert/strict";
import { readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createLinux } from "../create-linux.ts";

const node = (script: string): { readonly command: string; readonly arguments: readonly string[] } => ({
  command: process.execPath,
  arguments: ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script],
});

describe("Namespaces.run()", { skip: process.getuid?.() === 0 ? false : "needs root for namespaces" }, () => {
  it("passes input, output, environment and exit code", async () => {
    using linux = createLinux();
    const result = await linux.namespaces.run({
      command: "sh",
      arguments: ["-c", 'read line; echo "$line $WORD"; echo no >&2; exit 5'],
      env: { WORD: "there", PATH: process.env["PATH"] ?? "" },
      input: "hello\n",
    });
    assert.deepEqual(result, { exitCode: 5, signal: undefined, stdout: "hello there\n", stderr: "no\n" });
  });
  it("changes the namespaces it is told to and no others", async () => {
    using linux = createLinux();
    const { stdout } = await linux.namespaces.run({
      unshare: ["network", "uts"],
      command: "readlink",
      arguments: ["/proc/self/ns/net", "/proc/self/ns/uts", "/proc/self/ns/ipc"],
    });
    const [network, uts, ipc] = stdout.trim().split("\n");
    assert.notEqual(network, readlinkSync("/proc/self/ns/net"));
    assert.notEqual(uts, readlinkSync("/proc/self/ns/uts"));
    assert.equal(ipc, readlinkSync("/proc/self/ns/ipc"));
  });
  it("enters a mount and a network namespace by their files", async () => {
    using linux = createLinux();
    const folder = await mkdtemp(join(tmpdir(), "talos-ts-namespaces-"));
    try {
      const path = join(folder, "net");
      await linux.namespaces.createNetwork(path);
      const self = { mount: "/proc/self/ns/mnt", network: path };
      const { stdout } = await linux.namespaces.run({
        enter: self,
        command: "readlink",
        arguments: ["/proc/self/ns/net"],
      });
      assert.notEqual(stdout.trim(), readlinkSync("/proc/self/ns/net"));
      await linux.namespaces.removeNetwork(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  it("says which step failed", async () => {
    using linux = createLinux();
    await assert.rejects(linux.namespaces.run({ command: "no-such-command" }), {
      code: "namespace/enoent",
      message: /^Cannot run "no-such-command" in other namespaces: cannot find command/,
    });
    await assert.rejects(linux.namespaces.run({ enter: { network: "/no/such" }, command: "true" }), {
      message: /cannot open namespace "\/no\/such": no such file or directory \(ENOENT\)$/,
    });
    await assert.rejects(linux.namespaces.run({ enter: { network: "/proc/self/ns/uts" }, command: "true" }), {
      code: "namespace/einval",
    });
  });
  it("kills the command with its signal", async () => {
    using linux = createLinux();
    const abort = new AbortController();
    const running = linux.namespaces.run({ command: "cat", signal: abort.signal });
    abort.abort();
    await assert.rejects(running, { kind: "cancelled" });
  });
  it("System.reboot() as pid 1 of a pid namespace ends the namespace", async () => {
    using linux = createLinux();
    const url = JSON.stringify(new URL("../system/linux-system.ts", import.meta.url).href);
    const program = node(`const { createLinuxSystem } = await import(${url}); createLinuxSystem().reboot("restart")`);
    const result = await linux.namespaces.run({ unshare: ["pid"], ...program });
    assert.equal(result.signal, "SIGHUP", result.stderr);
  });
  it("Mounts.pivotRoot() makes a mount the root of its own namespace", async () => {
    using linux = createLinux();
    const folder = await mkdtemp(join(tmpdir(), "talos-ts-pivot-"));
    const url = JSON.stringify(new URL("../mounts/linux-mounts.ts", import.meta.url).href);
    try {
      const program = node(`
        import { mkdirSync, readdirSync } from "node:fs";
        const { createLinuxMounts } = await import(${url});
        const mounts = createLinuxMounts();
        const root = ${JSON.stringify(folder)};
        await mounts.mount({ source: "root", target: root, type: "tmpfs" });
        mkdirSync(root + "/old");
        await mounts.pivotRoot(root, root + "/old");
        process.chdir("/");
        console.log(readdirSync("/").join(), readdirSync("/old").includes("proc"));
      `);
      const result = await linux.namespaces.run({ unshare: ["mount"], ...program });
      assert.deepEqual(result, { exitCode: 0, signal: undefined, stdout: "old true\n", stderr: "" });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
