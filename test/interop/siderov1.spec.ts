import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { createAuthority } from "@talos-ts/grpc/testing";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { runCommand, type Result, type RunCommandOptions } from "@talos-ts/talosctl/testing";
import { buildGoModule } from "../../scripts/lib/go-module.ts";
import { writeTls } from "./tls-files.ts";

const identity = "me@example.org";

interface Verdict {
  readonly method: string;
  readonly identity: string;
  readonly nodes: readonly string[];
  readonly problem: string;
}

interface Proxy extends AsyncDisposable {
  readonly serviceAccount: string;
  readonly talosconfig: string;
  readonly directory: string;
  /** The verdicts since the last time. */
  verdicts(): readonly Verdict[];
}

/** A proxy that checks signatures with the vendor's Go module. It has put a key of its own making into `keys`. */
async function startProxy(): Promise<Proxy> {
  const directory = await temporaryDirectory();
  const authority = createAuthority();
  const material = { ca: authority.ca, ...authority.issue({ names: ["127.0.0.1"] }) };
  const tls = await writeTls(directory.path, material);
  const keys = join(directory.path, "keys");
  const program = await buildGoModule(join(import.meta.dirname, "go-signature"));
  const child = spawn(program, [keys, "omni", identity], {
    env: { ...process.env, ...tls, HOME: directory.path },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  const [first] = (await once(lines, "line")) as [string];
  const { address, serviceAccount } = JSON.parse(first) as { address: string; serviceAccount: string };
  const seen: Verdict[] = [];
  lines.on("line", (line) => void seen.push(JSON.parse(line) as Verdict));
  const talosconfig = join(directory.path, "talosconfig");
  const ca = Buffer.from(material.ca).toString("base64");
  await writeFile(
    talosconfig,
    JSON.stringify({
      context: "omni",
      contexts: { omni: { endpoints: [address], ca, auth: { siderov1: { identity } } } },
    }),
  );
  return {
    serviceAccount,
    talosconfig,
    directory: directory.path,
    verdicts: () => seen.splice(0),
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe("siderov1 signatures, verified by the Go module", () => {
  let proxy: Proxy;
  before(async () => {
    proxy = await startProxy();
  });
  after(() => proxy[Symbol.asyncDispose]());

  const run = (argv: readonly string[], options: RunCommandOptions = {}): Promise<Result> => {
    const env = { HOME: proxy.directory, TALOSCONFIG: proxy.talosconfig, ...options.env };
    return runCommand(argv, { ...options, env });
  };
  const keysDir = (name: string): readonly string[] => ["--siderov1-keys-dir", join(proxy.directory, name)];

  it("signs unary and streaming calls with a key that the Go client wrote", async () => {
    const time = await run(["time", "--nodes", "10.5.0.2,10.5.0.3", ...keysDir("keys")]);
    assert.equal(time.code, 0, time.err);
    const service = "/time.TimeService/Time";
    assert.deepEqual(proxy.verdicts(), [{ method: service, identity, nodes: ["10.5.0.2", "10.5.0.3"], problem: "" }]);
    const list = await run(["get", "members", "--nodes", "10.5.0.2"], {
      env: { SIDEROV1_KEYS_DIR: join(proxy.directory, "keys") },
    });
    const calls = proxy.verdicts();
    assert.ok(calls.length > 0, list.err);
    assert.deepEqual(
      calls.map(({ problem }) => problem).filter((problem) => problem !== ""),
      [],
    );
    assert.ok(
      calls.every(({ method }) => method.startsWith("/cosi.resource.State/")),
      JSON.stringify(calls),
    );
  });

  it("signs as a service account of the environment", async () => {
    const result = await run(["time", "--nodes", "10.5.0.2"], {
      env: { SIDERO_SERVICE_ACCOUNT_KEY: proxy.serviceAccount },
    });
    assert.equal(result.code, 0, result.err);
    assert.deepEqual(
      proxy.verdicts().map(({ identity: name, problem }) => [name, problem]),
      [["robot", ""]],
    );
  });

  it("makes a key, has it confirmed, and signs with it", async () => {
    const argv = ["time", "--nodes", "10.5.0.2", ...keysDir("new")];
    const first = await run(argv, { isTerminal: true });
    assert.equal(first.code, 0, first.err);
    assert.match(
      first.err,
      /Please visit this page to authenticate: https:\/\/login\.example\.org\/[0-9a-f]{40}\?identity=me@example\.org/,
    );
    const file = join(proxy.directory, "new", `omni-${identity}.pgp`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.match(await readFile(file, "utf8"), /^-----BEGIN PGP PRIVATE KEY BLOCK-----/);
    const second = await run(argv);
    assert.equal(second.code, 0, second.err);
    assert.deepEqual(
      proxy.verdicts().map(({ problem }) => problem),
      ["", ""],
    );
  });

  it("says how to get a key when there is none, or none that counts", async () => {
    const none = await run(["time", "--nodes", "10.5.0.2", ...keysDir("empty")]);
    assert.equal(none.code, 1);
    assert.match(
      none.err,
      /Cannot sign calls as me@example\.org: there is no key at .*\/empty\/omni-me@example\.org\.pgp/,
    );
    assert.match(none.err, /talosctl version in a terminal to register a key, or set SIDERO_SERVICE_ACCOUNT_KEY/);
    assert.deepEqual(proxy.verdicts(), []);
    // Another proxy wrote this one: it is a good key, but nobody has confirmed it here.
    await using other = await startProxy();
    const foreign = await run(["time", "--nodes", "10.5.0.2", "--siderov1-keys-dir", join(other.directory, "keys")]);
    assert.equal(foreign.code, 1);
    assert.match(
      foreign.err,
      /The endpoint refused the signature of me@example\.org with the key of .*: rpc error: code = Unauthenticated desc = key [0-9a-f]+ is not registered/,
    );
    assert.match(foreign.err, /rm .*, then talosctl version in a terminal/);
  });

  it("refuses a file that holds no private key", async () => {
    const directory = join(proxy.directory, "broken");
    await mkdir(directory);
    await writeFile(join(directory, `omni-${identity}.pgp`), "hello\n");
    const result = await run(["time", "--nodes", "10.5.0.2", ...keysDir("broken")]);
    assert.equal(result.code, 1);
    assert.match(
      result.err,
      /Cannot sign calls with .*\/broken\/omni-me@example\.org\.pgp: not an armored OpenPGP private key/,
    );
  });
});
