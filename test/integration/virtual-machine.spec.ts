import assert from "node:assert/strict";
import { open as openFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findMissingPrograms } from "@talos-ts/host";
import { buildBootImage, buildInstallerImage, buildRootfs, systemDaemons } from "@talos-ts/imager";
import { gptEntries, readGptTable, type BlockRange } from "@talos-ts/linux";
import { talosVersion } from "@talos-ts/machinery/constants";
import { findAccelerator, planCluster, type ClusterPlan } from "@talos-ts/provision";
import { frameRows, openDisplay } from "./machine-display.ts";
import { createHome, eventually, type Home } from "./cluster-support.ts";
import { serveImages, type ImageRegistry } from "./image-registry.ts";
import { leftovers } from "./provision-support.ts";

const name = "virtual";
const subnet = "10.91.1.0/26";
const node = "10.91.1.2";
/** Address that META gives the machine. */
const second = "10.91.1.60";

/** Another version of the same system. */
const newVersion = "v1.13.99";
const installer = `ghcr.io/siderolabs/installer:${newVersion}`;
/** Time for a machine whose processor is emulated to start anew. */
const startMs = 900_000;

const [missing] = await findMissingPrograms({ "qemu-system-x86_64": "qemu-system-x86" });
const emulated = (await findAccelerator()) === "tcg" && process.env["TEST_LONG"] === undefined;
const reason =
  missing !== undefined
    ? `needs ${missing.name}: apt-get install ${missing.package}`
    : emulated && "takes minutes without KVM: npm run integration -- integration/virtual-machine --long";

void describe("a virtual machine", { skip: reason }, () => {
  let home: Home;
  let plan: ClusterPlan;
  let registry: ImageRegistry | undefined;
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
    const rootfs = await buildRootfs({ daemons: systemDaemons(), version: newVersion });
    const layout = await buildInstallerImage(await buildBootImage({ rootfs }), { reference: installer });
    registry = await serveImages(plan.network.gateway, layout);
  });
  after(async () => {
    await registry?.[Symbol.asyncDispose]();
    await home.talosctl("cluster", "destroy", "--name", name);
    assert.deepEqual(await leftovers(plan), []);
    await home[Symbol.asyncDispose]();
  });

  /** Beginning of the partition META, as the machine left it: magic, key, length and value, end. */
  const metaOnDisk = async (): Promise<string> => {
    const path = join(plan.directory, "nodes", plan.nodes[0]?.name ?? "", "disk.img");
    await using file = await openFile(path);
    const { size: sizeBytes } = await file.stat();
    const read = async ({ startBytes, sizeBytes: length }: BlockRange): Promise<Buffer> =>
      (await file.read({ buffer: Buffer.alloc(length), position: startBytes })).buffer;
    const unused = (): never => assert.fail("only reads");
    const table = await readGptTable({ path, sizeBytes, sectorBytes: 512, read, write: unused, sync: unused });
    const { startBytes } = gptEntries(table, 512).find(({ label }) => label === "META") ?? assert.fail("no META");
    return (await read({ startBytes, sizeBytes: 22 })).toString("hex");
  };

  /** Writes values of META, one of which changes the network, and reads what came of them. */
  const keepsMeta = async (): Promise<void> => {
    const link = "linkName: eth0, family: inet4, scope: global, flags: permanent, layer: platform";
    await answer("meta", "write", "0x0a", `addresses: [{address: ${second}/26, ${link}}]`);
    await answer("meta", "write", "0x0c", "rack 7");
    await answer("meta", "write", "0x0f", "00000000-0000-0000-0000-00000000000a");
    assert.match(await answer("get", "metakeys"), /0x0c .* rack 7/);
    for (const [type, expected] of [
      ["addresses", new RegExp(`eth0/${second.replaceAll(".", "\\.")}/26`)],
      ["systeminformation", /00000000-0000-0000-0000-00000000000a/],
    ] as const) {
      await eventually(
        () => answer("get", type),
        (text) => expected.test(text),
      );
    }
    for (const key of ["0x0a", "0x0f"]) await answer("meta", "delete", key);
    const { code, stderr } = await home.talosctl("-n", node, "meta", "delete", "0x0a");
    assert.notEqual(code, 0);
    assert.match(stderr, /meta key not found/);
  };

  const refusesToWipe = async (volumes: string): Promise<void> => {
    const device = (volume: string): string =>
      new RegExp(`${volume} .*/dev/(\\w+)`).exec(volumes)?.[1] ?? assert.fail(volume);
    for (const [name, reason, ...flags] of [
      ["vda", 'in use by volume "'],
      [device("META"), 'in use by volume "META"'],
      [device("EPHEMERAL"), "is mounted or in use", "--skip-volume-check"],
      ["vdz", "not found"],
    ] as const) {
      const { code, stderr } = await home.talosctl("-n", node, "wipe", "disk", name, ...flags);
      assert.notEqual(code, 0, name);
      assert.ok(stderr.includes(reason), `${name}: ${stderr}`);
    }
  };

  /** Waits for the containerd that keeps images. */
  const criServes = (): Promise<string> =>
    eventually(
      () => answer("services"),
      (text) => / cri +Running +OK /.test(text),
      startMs,
    );
  const entries = ["get", "bootedentry"] as const;
  /** Changes with every start. */
  const bootId = ["read", "/proc/sys/kernel/random/boot_id"] as const;
  /** Starts the machine anew, and waits until it runs from this entry of its boot loader. */
  const restartInto = async (version: string, ...command: readonly string[]): Promise<void> => {
    const before = await answer(...bootId);
    await answer(...command);
    await eventually(
      async () => {
        const [id, entry] = [await home.talosctl("-n", node, ...bootId), await home.talosctl("-n", node, ...entries)];
        return id.code === 0 && id.stdout !== before ? entry.stdout : "";
      },
      // A version that is there already is installed beside it, under a name of its own.
      (text) => text.split(/\s+/).some((word) => word.replace(/~\d+$/, "") === `talos-${version}`),
      startMs,
    );
    assert.match(await answer("version"), new RegExp(`Server:[^]*Tag: +${version}`));
  };

  void it("boots from a medium, is configured through its API, and installs itself on a disk", async () => {
    const flags = ["--name", name, "--subnet", subnet, "--workers", "0", "--memory", "1536MiB", "--images", "none"];
    const created = await out("cluster", "create", "qemu", ...flags, ...(registry?.flags ?? []));
    assert.match(created, /virtual-controlplane-1 +controlplane +10\.91\.1\.2/);
    assert.match(await answer("version"), /Server:[^]*Tag:/);
    const volumes = await eventually(
      () => answer("get", "volumestatus"),
      (text) => /STATE .* ready .*\/dev\/vda3/.test(text) && /EPHEMERAL .* ready .*\/dev\/vda4/.test(text),
    );
    assert.match(volumes, /META .* ready .*\/dev\/vda2/);
    assert.match(await answer("get", "systemdisk"), /system-disk .* vda/);
    const services = await answer("services");
    for (const service of ["udevd", "syslogd", "containerd", "apid", "dashboard"])
      assert.match(services, new RegExp(`${service} `));
    const installed = new RegExp(`Linux version 6[^]*installing on /dev/vda[^]*${talosVersion} is started next`);
    await eventually(
      () => answer("dmesg"),
      (text) => installed.test(text),
    );
    assert.doesNotMatch(await answer(...entries), /talos-v/);
    assert.match(await answer("get", "securitystate", "-o", "yaml"), /secureBoot: false[^]*bootedWithUKI: true/);
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

  void it("keeps META on its disk, and wipes nothing that is used", async () => {
    await keepsMeta();
    await refusesToWipe(await answer("get", "volumestatus"));
  });

  void it("is upgraded in place, and rolled back", async () => {
    await criServes();
    const before = await answer(...bootId);
    const upgraded = await eventually(
      () => home.talosctl("-n", node, "upgrade", "--image", installer, "--drain=false", "--no-reboot"),
      ({ code }) => code === 0,
      startMs,
    );
    assert.match(upgraded.stderr, new RegExp(`${newVersion} is started next, ${talosVersion} stays`));
    assert.equal(await answer(...bootId), before);
    await restartInto(newVersion, "reboot", "--wait=false");
    await restartInto(talosVersion, "rollback");
  });

  void it("goes back by itself from a version that never gets ready", async () => {
    // Without Kubernetes no machine is ready. The first of three starts was that of the upgrade.
    await restartInto(newVersion, "rollback");
    await restartInto(newVersion, "reboot", "--wait=false");
    await restartInto(talosVersion, "reboot", "--wait=false");
    const refused = await home.talosctl("-n", node, "rollback");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`${newVersion}, was started in vain[^]*next: talosctl upgrade`));
  });

  void it("is upgraded by the one call of clients before v1.13", async () => {
    await criServes();
    await restartInto(newVersion, "upgrade", "--legacy", "--image", installer, "--wait=false");
  });

  void it("powers off", async () => {
    await out("cluster", "stop", "--name", name);
    assert.equal(await metaOnDisk(), `5a4b3c2d0000000c00000006${Buffer.from("rack 7").toString("hex")}00000000`);
    assert.match(await console(), /reboot: Power down/);
  });
});
