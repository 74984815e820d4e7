import { chmod, cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, cacheDirectory, cacheKey, type Progress, runTool } from "@talos-ts/host";
import { hostAcquire, hostArchive } from "@talos-ts/imager";
import { networkEnvironment } from "./host-settings.ts";
import { node20, type Release } from "./releases.ts";

const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

/**
 * Returns a folder with a minimal Debian in which nothing but git, Node.js ≥ 20 and npm was installed; made once.
 *
 * It comes from the archive the host's apt uses and keeps the host's way to reach it. Callers copy it.
 */
export async function baseRoot(release: Release, progress: Progress, signal: AbortSignal): Promise<string> {
  const archive = await hostArchive();
  const acquire = await hostAcquire(signal);
  const key = cacheKey(JSON.stringify(release), JSON.stringify(node20), archive.uri, acquire);
  const name = `debian-${release.version}-${key}`;
  const { path } = await cached(join(cacheDirectory(), "fresh"), "roots", name, async (scratch) => {
    const stage = `make a minimal Debian ${release.version}`;
    progress({ stage, state: "start" });
    const source = `deb ${archive.uri} ${release.suite} main`;
    const options = [
      "--mode=root",
      "--variant=minbase",
      "--format=directory",
      `--keyring=${keyring}`,
      `--include=${release.packages.join(",")}`,
      '--aptopt=APT::Install-Recommends "false"',
      "--dpkgopt=force-unsafe-io",
    ];
    await runTool("mmdebstrap", [...options, release.suite, scratch, source], { signal, env: networkEnvironment() });
    await writeFile(join(scratch, "etc/apt/apt.conf.d/90host"), `${acquire}\n`);
    if (release.nodeFromNpm) await addNode(scratch, signal);
    progress({ stage, state: "done" });
  });
  return path;
}

/** Puts the program of Node.js 20 and npm into `/usr/local`, as the archives of nodejs.org are unpacked. */
async function addNode(root: string, signal: AbortSignal): Promise<void> {
  const work = join(root, "tmp/node");
  await mkdir(work, { recursive: true });
  const unpack = async (spec: string, target: string): Promise<void> => {
    await mkdir(target, { recursive: true });
    const folder = join(work, spec.split("@")[0] ?? spec);
    await mkdir(folder);
    const env = { PATH: process.env["PATH"] ?? "", ...networkEnvironment() };
    await runTool("npm", ["pack", "--silent", "--pack-destination", folder, spec], { cwd: work, signal, env });
    const [archive = ""] = await readdir(folder);
    await runTool("tar", ["-xzf", join(folder, archive), "-C", target, "--strip-components=1"], { signal });
  };
  const unpacked = join(work, "unpacked");
  await unpack(node20.node, unpacked);
  await cp(join(unpacked, "bin/node"), join(root, "usr/local/bin/node"));
  await chmod(join(root, "usr/local/bin/node"), 0o755);
  await unpack(node20.npm, join(root, "usr/local/lib/node_modules/npm"));
  for (const name of ["npm", "npx"]) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
    await chmod(join(root, `usr/local/lib/node_modules/npm/bin/${name}-cli.js`), 0o755);
  }
  await runTool("rm", ["-rf", work], {});
}
