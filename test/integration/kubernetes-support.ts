import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { buildImages } from "@talos-ts/imager";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { imageReferences, kubernetesTag, planCluster, type ClusterPlan } from "@talos-ts/provision";
import { createHome, type CliResult, type Home } from "./cluster-support.ts";
import { serveClusterImages } from "./image-registry.ts";
import { mergeLayouts } from "./merge-layouts.ts";
import { layoutWithVersion } from "./other-version.ts";
import { leftovers } from "./provision-support.ts";

/** A cluster of one control plane node and one worker, with Kubernetes on it. */
export interface KubernetesCluster extends AsyncDisposable {
  readonly home: Home;
  readonly plan: ClusterPlan;
  /** Output of `cluster create`. */
  readonly created: CliResult;
  /** Addresses of the nodes. */
  readonly controlPlane: string;
  readonly worker: string;
  /** Paths that the nodes asked the registry of this machine for. */
  readonly pulled: ReadonlySet<string>;
  /** Runs `kubectl`, and fails when it does. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Runs a `kubectl` that does not end by itself, until its output is as wished; `use` is called while it runs. */
  kubectlWhile(wished: RegExp, args: readonly string[], use: (match: RegExpExecArray) => Promise<void>): Promise<void>;
}

export interface KubernetesOptions {
  /** Version of Kubernetes that the nodes can also get images of; as long as the default one. @default none */
  readonly otherVersion?: string;
  /** Version of Kubernetes to begin with; the nodes can get images of the default one as well. @default the default one */
  readonly from?: string;
}

/** Flags that say where images come from, and the `kubectl` that a cluster with a cache of its own does not bring. */
async function imagesOf(
  home: Home,
  { otherVersion, from }: KubernetesOptions,
  otherwise: readonly string[],
): Promise<{ readonly source: readonly string[]; readonly kubectl?: string }> {
  if (otherVersion === undefined && from === undefined) return { source: otherwise };
  const folder = join(home.path, "images");
  const built = await build(defaultKubernetesVersion);
  if (otherVersion !== undefined) await layoutWithVersion(built.layout, defaultKubernetesVersion, otherVersion, folder);
  else if (from !== undefined) await mergeLayouts([built.layout, (await build(from)).layout], folder);
  const version = from === undefined ? [] : ["--kubernetes-version", from];
  return { source: ["--image-cache-path", folder, ...version], kubectl: built.kubectl };
}

const build = (version: string): ReturnType<typeof buildImages> =>
  buildImages({ references: imageReferences(version), kubernetes: kubernetesTag(version) });

/**
 * Creates the cluster from images that are built, whether or not a registry answers: suites start programs of these images, and
 * talk to nobody outside this machine.
 *
 * @param images `pull`: the nodes pull them from a registry of this machine instead of taking them from their image cache.
 */
export async function createKubernetesCluster(
  name: string,
  subnet: string,
  images: "build" | "pull" = "build",
  options: KubernetesOptions = {},
): Promise<KubernetesCluster> {
  const home = await createHome();
  const clusters = join(home.path, ".talos/clusters");
  const plan = planCluster({ name, subnet, kubernetes: true }, clusters);
  const [controlPlane = "", worker = ""] = plan.nodes.map(({ address }) => address);
  const which = ["--name", name, "--subnet", subnet];
  const registry = images === "pull" ? await serveClusterImages(plan.network.gateway) : undefined;
  const { source, kubectl = registry?.kubectl } = await imagesOf(home, options, [
    "--images",
    images,
    ...(registry?.flags ?? []),
  ]);
  const created = await home.talosctl("cluster", "create", ...which, ...source, "--wait-timeout", "10m");
  const env = { PATH: process.env["PATH"], HOME: home.path, KUBECONFIG: join(home.path, ".kube/config") };
  const program = kubectl ?? join(clusters, name, "kubectl");
  // Guides look for it beside the cluster.
  if (kubectl !== undefined && images === "build" && created.code === 0)
    await copyFile(program, join(clusters, name, "kubectl"));
  return {
    home,
    plan,
    created,
    controlPlane,
    worker,
    pulled: registry?.asked ?? new Set(),
    kubectl: (...args) =>
      new Promise((resolve, reject) => {
        const options = { env, cwd: home.path, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 };
        execFile(program, args, options, (err, stdout, stderr) => {
          if (err === null) resolve(stdout);
          else reject(new Error(`kubectl ${args.join(" ")}: ${stderr === "" ? err.message : stderr}`));
        });
      }),
    async kubectlWhile(wished, args, use) {
      const child = spawn(program, args, { env, cwd: home.path, stdio: ["ignore", "pipe", "pipe"], timeout: 300_000 });
      const ended = once(child, "close");
      let text = "";
      const found = new Promise<RegExpExecArray | null>((resolve) => {
        void ended.then(() => resolve(null));
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
            const match = wished.exec(text);
            if (match !== null) resolve(match);
          });
      });
      try {
        const match = await found;
        assert.ok(match !== null, `kubectl ${args.join(" ")} ended: ${text}`);
        await use(match);
      } finally {
        child.kill();
        await ended;
      }
    },
    async [Symbol.asyncDispose]() {
      await home.talosctl("cluster", "destroy", "--name", name);
      await registry?.[Symbol.asyncDispose]();
      assert.deepEqual(await leftovers(plan), []);
      await home[Symbol.asyncDispose]();
    },
  };
}
