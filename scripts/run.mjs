#!/usr/bin/env node
// Runs a task of `scripts/tasks/` on the pinned Node, whatever Node (>= 20) started it. Installs dependencies first
// when the lock file changed since the last install, so that every `npm run …` works on a fresh clone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...args] = process.argv.slice(2);
const tasks = readdirSync(join(root, "scripts/tasks")).map((file) => file.replace(/\.ts$/, ""));
if (task === undefined || !tasks.includes(task)) {
  console.error(`Cannot run task ${JSON.stringify(task ?? "")}: expected one of ${tasks.join(", ")}`);
  process.exit(2);
}

const stamp = join(root, "node_modules/.installed-lock");
const pinned = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

function installed() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && existsSync(pinned);
}

/** Two tasks started at once must not install into the same folder: the second waits while the first is alive. */
function takeLock(lock) {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch {
      const owner = Number(readFileSync(lock, { encoding: "utf8", flag: "a+" }));
      if (!existsSync(`/proc/${owner}`)) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
}

function install() {
  const lock = join(root, ".cache/install.lock");
  takeLock(lock);
  let status = 0;
  if (!installed()) {
    console.error("Installing dependencies (npm ci) …");
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    status = spawnSync("npm", ["ci", ...options], { cwd: root, stdio: "inherit" }).status ?? 1;
    if (status === 0) writeFileSync(stamp, wanted);
  }
  rmSync(lock, { force: true });
  if (status !== 0) {
    console.error("Cannot install dependencies: npm ci failed; check the network and run the same command again");
    process.exit(status);
  }
}

/** Libraries of the pinned Node that a minimal Debian lacks; true when they were missing and are installed now. */
function installLibraries() {
  if (spawnSync(pinned, ["--version"]).status === 0) return false;
  const packages = ["libatomic1", "libstdc++6"];
  if (process.getuid() !== 0) {
    console.error(`The pinned Node.js lacks libraries: run sudo apt-get install ${packages.join(" ")}`);
    process.exit(1);
  }
  console.error(`Installing ${packages.join(", ")} (apt-get) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const words of [["update"], ["-y", "--no-install-recommends", "install", ...packages]]) {
    const { status } = spawnSync("apt-get", ["-qq", ...words], { stdio: ["ignore", "ignore", "inherit"], env });
    if (status !== 0) process.exit(status ?? 1);
  }
  return true;
}

function runTask() {
  return spawnSync(pinned, ["--disable-warning=ExperimentalWarning", join(root, `scripts/tasks/${task}.ts`), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: `${dirname(pinned)}:${join(root, "node_modules/.bin")}:${process.env.PATH}` },
  });
}

if (!installed()) {
  install();
  installLibraries();
}
let child = runTask();
// The status of the dynamic linker when it does not find a library.
if (child.status === 127 && installLibraries()) child = runTask();
process.exit(child.status ?? 1);
