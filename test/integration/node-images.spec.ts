import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { CertificateAuthority } from "@talos-ts/crypto";
import { connectApi, contextTls } from "@talos-ts/machinery/client";
import { contextCredentials, openTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import { createRegistryServer, listen, openLayout } from "@talos-ts/oci";
import { noise, signTestImage, writeTestLayout } from "@talos-ts/oci/testing";
import { ContainerdNamespace, ContainerDriver } from "@talos-ts/proto/common/common";
import { DebugContainerRunRequestSpec_Profile as Profile, DebugService } from "@talos-ts/proto/machine/debug";
import { planCluster } from "@talos-ts/provision";
import { createHome, eventually, type CliResult, type Home } from "./cluster-support.ts";
import { createRegistryAuthority, serveRegistry } from "./registry-support.ts";
import { leftovers } from "./provision-support.ts";

const name = "images";
const subnet = "10.89.0.0/24";
const [host, node] = ["10.89.0.1", "10.89.0.2"];
const port = 5086;
/** Nobody listens on the first; the second wants TLS and a login. */
const [deadPort, tlsPort] = [5087, 5088];

/** Two layers, so that there is an order, and one of them larger than any buffer on the way. */
const layers = [{ "etc/one": "1" }, { "etc/two": "2", big: noise("big", 8_000_000) }];

describe("images of a node", () => {
  let home: Home;
  let created: CliResult;
  let authority: CertificateAuthority;
  const image = (...args: readonly string[]): Promise<CliResult> => home.talosctl("-n", node, "image", ...args);
  const listed = async (namespace: string): Promise<readonly string[]> => {
    const { stdout, stderr } = await image("list", "--namespace", namespace, "-o", "json");
    assert.equal(stderr, "");
    return (JSON.parse(stdout) as { readonly image: string }[]).map((row) => row.image);
  };

  before(async () => {
    home = await createHome();
    await writeTestLayout(join(home.path, "cache"), [
      { reference: "reg.test/app:v1", index: true, layers },
      { reference: "docker.io/library/tool:latest", layers: [{ tool: "x" }] },
    ]);
    await writeTestLayout(join(home.path, "mirror"), [{ reference: "reg.test/mirrored:v1", layers }]);
    await writeTestLayout(join(home.path, "secured"), [{ reference: "tls.test/secured:v1", layers }]);
    authority = await createRegistryAuthority();
    const mirrors = {
      "reg.test": { endpoints: [`http://${host}:${String(port)}`], skipFallback: true },
      "tls.test": {
        endpoints: [`https://${host}:${String(deadPort)}`, `https://${host}:${String(tlsPort)}`],
        skipFallback: true,
      },
      "dead.test": { endpoints: [`https://${host}:${String(deadPort)}`], skipFallback: true },
    };
    const auth = { username: "me", password: "secret" };
    const config = {
      [`${host}:${String(port)}`]: { auth },
      [`${host}:${String(tlsPort)}`]: { auth, tls: { ca: Buffer.from(authority.pem.crt).toString("base64") } },
    };
    const kubelet = { image: "dead.test/kubelet:v1.36.4" };
    const patch = JSON.stringify({ machine: { registries: { mirrors, config }, kubelet } });
    const cache = ["--image-cache-path", join(home.path, "cache")];
    const flags = ["--name", name, "--subnet", subnet, "--workers", "0", "--wait=false", "--config-patch", patch];
    created = await home.talosctl("cluster", "create", ...flags, ...cache);
  });
  after(async () => {
    const plan = planCluster({ name, subnet }, join(home.path, ".talos/clusters"));
    await home.talosctl("cluster", "destroy", "--name", name);
    assert.deepEqual(await leftovers(plan), []);
    await home[Symbol.asyncDispose]();
  });

  it("D2: the cache is served by registryd and stands before every registry", async () => {
    assert.equal(created.code, 0, created.stderr);
    await eventually(
      async () => (await home.talosctl("-n", node, "get", "imagecacheconfig")).stdout,
      (text) => /ready +skipped +\["\/system\/imagecache\/disk"\]/.test(text),
    );
    await eventually(
      async () => (await home.talosctl("-n", node, "services")).stdout,
      (text) => /registryd +Running +OK/.test(text),
    );
  });

  it("pulls into both namespaces, also twice at the same time, and again", async () => {
    for (const namespace of ["system", "cri"]) {
      const pulls = await Promise.all([1, 2].map(() => image("pull", "--namespace", namespace, "reg.test/app:v1")));
      for (const { code, stderr } of pulls) assert.equal(code, 0, stderr);
      const again = await image("pull", "--namespace", namespace, "reg.test/app:v1");
      assert.match(again.stderr, /already exists/);
    }
    assert.deepEqual(await listed("system"), ["reg.test/app:v1"]);
    const [tagged, byDigest] = await listed("cri");
    assert.equal(tagged, "reg.test/app:v1");
    assert.match(byDigest ?? "", /^reg\.test\/app@sha256:[0-9a-f]{64}$/);
  });

  it("T-39: says which image could not be pulled, and what every registry answered", async () => {
    const { code, stderr } = await image("pull", "reg.test/none:v1");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^rpc error: code = Unavailable desc = failed to pull image "reg\.test\/none:v1": failed to resolve reference .*127\.0\.0\.1:3172.*not found/,
    );
  });

  /** Serves a layout of the home over HTTP to whoever has the login. `refused` counts requests without it. */
  async function serveMirror(folder: string): Promise<AsyncDisposable & { readonly refused: number }> {
    const layout = await openLayout(join(home.path, folder));
    const [serve] = createRegistryServer({ layouts: () => [layout] }).listeners("request") as RequestListener[];
    let refused = 0;
    const login = `Basic ${Buffer.from("me:secret").toString("base64")}`;
    const guarded: RequestListener = (request, response) => {
      if (request.headers.authorization === login) return serve?.(request, response);
      refused += 1;
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    };
    const listening = await listen(createServer(guarded), host, port);
    return {
      get refused() {
        return refused;
      },
      [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
    };
  }

  it("takes what the cache does not have from a mirror, with credentials", async () => {
    await using registry = await serveMirror("mirror");
    const { code, stderr } = await image("pull", "reg.test/mirrored:v1");
    assert.equal(code, 0, stderr);
    assert.equal(registry.refused, 1);
  });

  it("pulls only images with the signature that a rule wants, and none that a rule denies", async () => {
    const folder = join(home.path, "signed");
    const names = ["signed", "unsigned", "forged", "denied"];
    const images = await writeTestLayout(
      folder,
      names.map((each) => ({ reference: `reg.test/team/${each}:v1`, layers: [{ name: each }] })),
    );
    const [own, other] = [1, 2].map(() => generateKeyPairSync("ec", { namedCurve: "P-256" }));
    assert.ok(own !== undefined && other !== undefined);
    const sign = (each: string, key: typeof own.privateKey) =>
      signTestImage(folder, {
        repository: `reg.test/team/${each}`,
        digest: images[names.indexOf(each)]?.digest ?? "",
        key,
        format: "simple",
      });
    await sign("signed", own.privateKey);
    await sign("forged", other.privateKey);
    const certificate = own.publicKey.export({ type: "spki", format: "pem" });
    const rules = [
      { image: "reg.test/team/denied", deny: true },
      { image: "reg.test/team/*", publicKey: { certificate } },
    ];
    const document = { apiVersion: "v1alpha1", kind: "ImageVerificationConfig", rules };
    const patched = await home.talosctl("-n", node, "patch", "mc", "--patch", JSON.stringify(document));
    assert.equal(patched.code, 0, patched.stderr);
    assert.match(patched.stderr, /pulls for pods do not/);
    await eventually(
      async () => (await home.talosctl("-n", node, "get", "imageverificationrules")).stdout,
      (text) => /0001 +1 +reg\.test\/team\/\*/.test(text),
    );
    await using _registry = await serveMirror("signed");
    const pull = (each: string) => image("pull", `reg.test/team/${each}:v1`);
    assert.equal((await pull("signed")).code, 0);
    assert.match((await pull("unsigned")).stderr, /no valid signature found: .*legacy signature tag not found/);
    assert.match((await pull("forged")).stderr, /the signature is not of this key/);
    assert.match((await pull("denied")).stderr, /verification denied by matched rule \(0000\)/);
    assert.deepEqual(
      (await listed("cri")).filter((each) => each.startsWith("reg.test/team/") && !each.includes("/signed")),
      [],
    );
  });

  it("goes on to the next mirror when one is dead, over TLS with the authority of the configuration", async () => {
    const options = { authority, layout: join(home.path, "secured"), host, port: tlsPort, login: "me:secret" };
    await using registry = await serveRegistry(options);
    const { code, stderr } = await image("pull", "tls.test/secured:v1");
    assert.equal(code, 0, stderr);
    assert.equal(registry.refused, 1);
    assert.ok((await listed("cri")).includes("tls.test/secured:v1"));
  });

  it("does not trust a registry of another authority", async () => {
    const other = await createRegistryAuthority();
    const options = { authority: other, layout: join(home.path, "secured"), host, port: tlsPort, login: "me:secret" };
    await using registry = await serveRegistry(options);
    assert.equal((await image("remove", "tls.test/secured:v1")).code, 0);
    const { code, stderr } = await image("pull", "tls.test/secured:v1");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /failed to pull image "tls\.test\/secured:v1": .*ECONNREFUSED 10\.89\.0\.1:5087; 10\.89\.0\.1:5088: unable to verify the first certificate\n/,
    );
    assert.equal(registry.refused, 0);
  });

  it("T-39: a service whose registry is dead says so in dmesg and in its history, and tries again", async () => {
    const wanted = /\[talos\] retrying error: failed to pull image "dead\.test\/kubelet:v1\.36\.4": .*ECONNREFUSED/;
    await eventually(
      async () => (await home.talosctl("-n", node, "dmesg")).stdout,
      (text) => wanted.test(text),
    );
    assert.match((await home.talosctl("-n", node, "service", "kubelet")).stdout, /dead\.test\/kubelet:v1\.36\.4/);
  });

  it("imports an archive and removes images with all their names", async () => {
    const archive = join(home.path, "cache.tar");
    await promisify(execFile)("tar", ["-C", join(home.path, "cache"), "-cf", archive, "."]);
    const { code, stderr } = await image("import", "--namespace", "inmem", archive);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, `${node}: imported reg.test/app:v1\n`);
    assert.deepEqual(await listed("inmem"), ["docker.io/library/tool:latest", "reg.test/app:v1"]);
    assert.equal((await image("remove", "reg.test/app:v1")).code, 0);
    assert.deepEqual(
      (await listed("cri")).filter((each) => each.includes("app")),
      [],
    );
    assert.match((await image("remove", "reg.test/app:v1")).stderr, /image "reg\.test\/app:v1": not found/);
  });

  describe("talosctl debug", () => {
    const archive = (): string => join(home.path, "cache.tar");
    const containers = async (): Promise<string> => (await home.talosctl("-n", node, "containers")).stdout;
    const debug = (script: string): readonly string[] => [
      "-n",
      node,
      "debug",
      archive(),
      ...[...hostNode, "-e", script].flatMap((word) => ["--args", word]),
    ];

    it("passes on output and exit code of a container, which sees the machine and leaves nothing", async () => {
      const { code, stdout, stderr } = await home.talosctl(
        ...debug("console.log(require('fs').readFileSync('/host/proc/1/comm').toString()); process.exitCode = 7"),
      );
      assert.equal(code, 7, stderr);
      assert.match(stdout, /^machined$/m);
      assert.match(stderr, /^container exited with code 7$/m);
      await eventually(containers, (text) => !text.includes("debug-"));
    });

    it("removes the container when the client goes", async () => {
      const text = await home.talosctlUntil(/started/, ...debug("console.log('started'); setInterval(() => 0)"));
      assert.match(text, /^started$/m);
      await eventually(containers, (text) => !text.includes("debug-"));
    });

    it("gives it a terminal, of the size that the client says", async () => {
      const { config } = await openTalosconfig(join(home.path, ".talos/config"), { env: {} });
      const tls = contextTls(contextCredentials(resolveContext(config, name), name));
      await using api = connectApi({ endpoints: [node], tls });
      const containerd = { driver: ContainerDriver.CONTAINERD, namespace: ContainerdNamespace.NS_SYSTEM };
      const image = { containerd, imageName: "reg.test/app:v1", args: [...hostNode], tty: true };
      let text = "";
      let exitCode: number | undefined;
      async function* requests() {
        yield { request: { case: "spec" as const, value: { ...image, profile: Profile.PRIVILEGED } } };
        yield { request: { case: "termResize" as const, value: { width: 91, height: 17 } } };
        const value = Buffer.from("process.stdout.getWindowSize()\r.exit\r");
        yield { request: { case: "stdinData" as const, value } };
        // The terminal hangs up when its requests end.
        await ended.promise;
      }
      const ended = Promise.withResolvers<undefined>();
      for await (const { resp } of api.service(DebugService).containerRun(requests())) {
        if (resp.case === "stdoutData") text += Buffer.from(resp.value).toString();
        if (resp.case === "exitCode") exitCode = resp.value;
      }
      ended.resolve(undefined);
      assert.equal(exitCode, 0, text);
      assert.match(text, /\[ .*91.*, .*17.* \]/);
    });
  });
});

/** Runs the Node.js of the machine in a container whose image has no program. */
const hostNode =
  process.arch === "arm64"
    ? ["/host/lib/ld-linux-aarch64.so.1", "--library-path", "/host/lib/aarch64-linux-gnu", "/host/bin/node"]
    : ["/host/lib64/ld-linux-x86-64.so.2", "--library-path", "/host/lib/x86_64-linux-gnu", "/host/bin/node"];
