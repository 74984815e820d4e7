import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { cacheDirectory, runTool } from "@talos-ts/host";
import { lineProgress } from "../lib/line-progress.ts";
import { root as repository } from "../lib/step.ts";
import { baseRoot } from "./base-root.ts";
import { networkEnvironment, networkFiles } from "./host-settings.ts";
import { startMachine, type Machine } from "./machine.ts";
import { readmeSteps } from "./readme.ts";
import type { Release } from "./releases.ts";
import { createReporter, type Reporter } from "./reporter.ts";

export interface FreshOptions {
  /** Stops the test; what it made is removed. */
  readonly signal: AbortSignal;
  /** Downloads and images that are kept between runs. Default: the cache of this user. */
  readonly cacheRoot?: string;
}

/** Path of the clone, inside. */
const clone = "/root/talos-ts";

/** Hides name servers and proxies, so that a command that wants something from the network fails. */
const offline = (command: string): string =>
  `unset \${!http*} \${!https*} \${!HTTP*}; unshare --mount sh -c 'mount --bind /dev/null /etc/resolv.conf && ${command}'`;

/**
 * Runs the commands of the README in a minimal Debian that has nothing but git and Node.js.
 *
 * @throws when one of them fails, installs something that it need not, or leaves something behind.
 */
export async function runFreshMachine(release: Release, options: FreshOptions): Promise<void> {
  const { signal } = options;
  const cacheRoot = options.cacheRoot ?? cacheDirectory();
  const name = `fresh-${release.version}`;
  const kept = join(cacheRoot, "fresh");
  await mkdir(kept, { recursive: true });
  const log = createWriteStream(join(kept, `${name}.log`));
  const report = createReporter(`Debian ${release.version}`, log);
  const root = await mkdtemp("/var/tmp/talos-ts-fresh-");
  try {
    const base = await baseRoot(release, lineProgress, signal);
    await report.step("copy the root file system and HEAD", async () => {
      await runTool("cp", ["-a", "--reflink=auto", `${base}/.`, root], { signal });
      const from = ["-c", "safe.directory=*", "clone", "--quiet", "--bare", "--depth", "1", `file://${repository}`];
      await runTool("git", [...from, join(root, "srv/talos-ts.git")], { signal });
    });
    await using machine = await startMachine({ root, hostname: name, ...(await surroundings(release, cacheRoot)) });
    try {
      await runReadme(machine, release, name, report, signal);
      checkNothingLeft(release);
    } catch (err) {
      // Bridges outlive the machine: it must remove them itself. Not stopped by the signal that stopped the test.
      await report.step("remove the cluster after the failure", () =>
        machine.run(`npm run down -- --name ${name}`, { cwd: clone, onLine: report.line }),
      );
      throw err;
    }
  } finally {
    await runTool("rm", ["-rf", "--one-file-system", root]);
    log.end();
  }
}

/** Mounts and variables that a fresh machine shares with the host: how to reach registries, and the caches of downloads. */
async function surroundings(
  release: Release,
  cacheRoot: string,
): Promise<Pick<Parameters<typeof startMachine>[0], "binds" | "env">> {
  const kept = (name: string): string => join(cacheRoot, "fresh", name);
  const folders = [
    [cacheRoot, "/root/.cache/talos-ts"],
    [kept("npm"), "/root/.npm"],
    [kept(`apt-${release.version}`), "/var/cache/apt/archives"],
  ] as const;
  for (const [host] of folders) await mkdir(host, { recursive: true });
  return {
    binds: [...networkFiles(), ...folders],
    env: {
      HOME: "/root",
      LANG: "C.UTF-8",
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      ...networkEnvironment(),
    },
  };
}

async function runReadme(
  machine: Machine,
  release: Release,
  name: string,
  report: Reporter,
  signal: AbortSignal,
): Promise<void> {
  const exports: string[] = [];
  const run = (title: string, command: string, cwd = clone): Promise<void> =>
    report.command(title, () => machine.run([...exports, command].join("\n"), { cwd, signal, onLine: report.line }));
  await run("node --version", `[ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ]`, "/root");
  await run("git clone", `git clone --quiet /srv/talos-ts.git ${clone}`, "/root");
  const readme = await readFile(join(repository, "README.md"), "utf8");
  const substitute = { name, subnet: release.subnet };
  for (const { line, command, reason } of readmeSteps(readme, substitute)) {
    if (command === undefined) report.skip(line, reason ?? "");
    else if (line.startsWith("export ")) exports.push(command);
    else await run(command, command);
  }
  for (const program of ["cosi-state", "discovery-service"])
    await run(`node_modules/.bin/${program} --help`, `node_modules/.bin/${program} --help`);
  const up = `npm run up -- --name ${name} --subnet ${release.subnet}`;
  const installs = `tee /tmp/again; ! grep -iE "^install" /tmp/again`;
  await run(`${up}, again and offline`, `set -o pipefail; ${offline(up)} 2>&1 | ${installs}`);
  await run("npm run setup, again and offline", `set -o pipefail; ${offline("npm run setup")} 2>&1 | ${installs}`);
  await run("npm run down", `npm run down -- --name ${name}`);
}

function checkNothingLeft({ subnet, version }: Release): void {
  const prefix = subnet.replace(/\d+\/\d+$/, "");
  const left = Object.entries(networkInterfaces()).find(([, addresses = []]) =>
    addresses.some(({ address }) => address.startsWith(prefix)),
  );
  if (left !== undefined) throw new Error(`Debian ${version}: npm run down left the link "${left[0]}" behind`);
}
