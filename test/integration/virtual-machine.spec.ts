import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findMissingPrograms } from "@talos-ts/host";
import { findAccelerator, planCluster, type ClusterPlan } from "@talos-ts/provision";
import { frameRows, openDisplay } from "./machine-display.ts";
import { createHome, eventually, type Home } from "./cluster-support.ts";
import { leftovers } from "./provision-support.ts";

const name = "virtual";
const subnet = "10.91.1.0/26";
const node = "10.91.1.2";

const [missing] = await findMissingPrograms({ "qemu-system-x86_64": "qemu-system-x86" });
const emulated = (await findAccelerator()) === "tcg" && process.env["TEST_LONG"] === undefined;
const reason =
  missing !== undefined
    ? `needs ${missing.name}: apt-get install ${missing.package}`
    : emulated && "takes minutes without KVM: npm run integration -- integration/virtual-machine --long";

void describe("a virtual machine", { skip: reason }, () => {
  let home: Home;
  let plan: ClusterPlan;
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await home.talosctl(...args);
    assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}\n${await console()}`);
    return `${stdout}${stderr}`;
  };
  /** Asks the machine; one whose processor is emulated may be too busy to answer the first time. */
  const answer = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await eventually(
      () => home.talosctl("-n", node, ...args),
      ({ code }) => code === 0,
    );
    return `${stdout}${stderr}`;
  };
  const console = (): Promise<string> =>
    readFile(join(plan.directory, "nodes", plan.nodes[0]?.name ?? "", "console.log"), "utf8").catch(() => "");

  before(async () => {
    home = await createHome();
    plan = planCluster({ name, provisioner: "qemu", subnet, workers: 0 }, join(home.path, ".talos/clusters"));
  });
  after(async () => {
    await home.talosctl("cluster", "destroy", "--name", name);
    assert.deepEqual(await leftovers(plan), []);
    await home[Symbol.asyncDispose]();
  });

  void it("boots, is configured through its API, keeps its state on a disk", async () => {
    const flags = ["--name", name, "--subnet", subnet, "--workers", "0", "--memory", "1GiB", "--images", "none"];
    const created = await out("cluster", "create", "qemu", ...flags);
    assert.match(created, /virtual-controlplane-1 +controlplane +10\.91\.1\.2/);
    assert.match(await answer("version"), /Server:[^]*Tag:/);
    const volumes = await eventually(
      () => answer("get", "volumestatus"),
      (text) => /STATE .* ready .*\/dev\/vda2/.test(text) && /EPHEMERAL .* ready .*\/dev\/vda3/.test(text),
    );
    assert.match(volumes, /META .* ready .*\/dev\/vda1/);
    assert.match(await answer("get", "systemdisk"), /system-disk .* vda/);
    const services = await answer("services");
    for (const service of ["udevd", "syslogd", "containerd", "apid", "dashboard"])
      assert.match(services, new RegExp(`${service} `));
    assert.match(await answer("dmesg"), /Linux version 6[^]*\[talos\] installing on \/dev\/vda/);
  });

  void it("T-02: shows a dashboard on its display, whose keys are keys of the machine", async () => {
    assert.match(await answer("service", "dashboard"), /STATE +Running/);
    const display = openDisplay(plan);
    /** Lines that the picture has once it has so many. */
    const lines = (enough: number): Promise<number> =>
      eventually(
        async () => frameRows(await display.takePicture()),
        (count) => count >= enough,
      );
    const summary = await lines(2);
    await display.press("f2");
    await lines(summary + 1);
    await display.press("f1");
  });

  void it("powers off", async () => {
    await out("cluster", "stop", "--name", name);
    assert.match(await console(), /reboot: Power down/);
  });
});
