import assert from "node:assert/strict";
import { after, before } from "node:test";
import { createChannel, createClient, type Channel } from "@talos-ts/grpc";
import { buildImages, type BuiltImages } from "@talos-ts/imager";
import { imageReferences } from "@talos-ts/provision";
import { KV } from "@talos-ts/proto/etcd/rpc";
import { createHome, eventually, type CliResult, type Home } from "./cluster-support.ts";

let images: BuiltImages;
let home: Home;

/** Prepares images and a home for all tests of a file; to be called once, outside of any `describe`. */
export function prepareEtcd(): void {
  // Minutes when nothing is cached, on a machine that has never built images.
  before(async () => {
    images = await buildImages({ references: imageReferences() });
    home = await createHome();
  });
  after(() => home[Symbol.asyncDispose]());
}

/** Path of the home that commands run in, with the clusters of the file. */
export function homePath(): string {
  return home.path;
}

export function talosctl(...args: readonly string[]): Promise<CliResult> {
  return home.talosctl(...args);
}

/** Output of a command that must succeed. */
export async function out(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await talosctl(...args);
  assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/** State and history of the etcd of a node, as people see them. */
export async function service(node: string): Promise<string> {
  return (await talosctl("-n", node, "service", "etcd")).stdout;
}

/** Waits until the etcd of a node can be bootstrapped. */
export function untilItWaits(node: string): Promise<string> {
  return eventually(
    () => service(node),
    (text) => /^STATE +Preparing$/m.test(text) && text.includes("`talosctl bootstrap`"),
    240_000,
  );
}

export function isHealthy(text: string): boolean {
  return /^STATE +Running$/m.test(text) && /^HEALTH +OK$/m.test(text);
}

/** Leaves out what writes to etcd all the time and is not looked at here. */
const withoutControllers = JSON.stringify({
  machine: { controlPlane: { controllerManager: { disabled: true }, scheduler: { disabled: true } } },
  cluster: { proxy: { disabled: true }, coreDNS: { disabled: true }, network: { cni: { name: "none" } } },
});

/** Creates a cluster for the tests of a `describe`, and destroys it after them. */
export function withCluster(name: string, subnet: string, ...flags: readonly string[]): void {
  before(async () => {
    const wanted = ["--name", name, "--subnet", subnet, "--workers", "0", "--image-cache-path", images.layout];
    // Waiting would bootstrap the cluster as well.
    await out(
      "cluster",
      "create",
      "--wait=false",
      ...wanted,
      "--config-patch-control-plane",
      withoutControllers,
      ...flags,
    );
  });
  after(async () => {
    await talosctl("cluster", "destroy", "--name", name);
    await talosctl("config", "remove", name, "-y");
  });
}

/** Opens the API of etcd with the administrator's certificate of a node. */
async function openEtcd(node: string): Promise<Channel> {
  const file = (name: string): Promise<string> => out("-n", node, "read", `/system/secrets/etcd/${name}`);
  const material = { ca: await file("ca.crt"), cert: await file("admin.crt"), key: await file("admin.key") };
  return createChannel({ target: `${node}:2379`, tls: { material } });
}

/** Number of the keys that `writeKeys` wrote. */
export async function countKeys(node: string): Promise<bigint> {
  await using channel = await openEtcd(node);
  const range = { key: Buffer.from("key "), rangeEnd: Buffer.from("key ~"), countOnly: true };
  return (await createClient(KV, channel).range(range)).count;
}

/** Writes keys, each of them at once or as soon as there is a leader. */
export async function writeKeys(node: string, count: number): Promise<void> {
  await using channel = await openEtcd(node);
  const kv = createClient(KV, channel);
  for (let index = 0; index < count; index += 1) {
    const put = { key: Buffer.from(`key ${String(index)}`), value: Buffer.from("value") };
    // A member of a busy machine may lose its leader for a moment; the same key may be written again.
    await eventually(
      () => kv.put(put).then(() => "written", String),
      (answer) => answer === "written",
      60_000,
    );
  }
}
