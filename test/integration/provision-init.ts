/** The smallest init of a node: answers on the port of the API with what it sees of its machine. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

function canWrite(path: string): boolean {
  try {
    writeFileSync(path, "x");
    return true;
  } catch {
    return false;
  }
}

const folders = [
  "/",
  "/var",
  "/run",
  "/tmp",
  "/system",
  "/system/state",
  "/etc/cni",
  "/etc/kubernetes",
  "/opt",
  "/usr",
];

function facts(): unknown {
  return {
    pid: process.pid,
    hostname: hostname(),
    platform: process.env["PLATFORM"],
    sku: process.env["TALOSSKU"],
    config: Buffer.from(process.env["USERDATA"] ?? "", "base64").toString(),
    inContainer: existsSync("/usr/etc/in-container"),
    kmsg: existsSync("/dev/kmsg"),
    shells: ["/bin/sh", "/bin/bash", "/bin/busybox"].filter((path) => existsSync(path)),
    plugins: readdirSync("/opt/cni/bin"),
    writable: folders.filter((path) => canWrite(`${path}/.probe`)),
    address: networkInterfaces()["eth0"]?.find((entry) => entry.family === "IPv4")?.cidr,
    resolvers: readFileSync("/etc/resolv.conf", "utf8"),
  };
}

/** Runs Node.js in a container inside the node, as a daemon runs: without privileges, with a root of its own. */
async function nested(): Promise<unknown> {
  const bundle = "/run/nested";
  mkdirSync(bundle, { recursive: true });
  const script =
    "const f=require('fs');console.log(JSON.stringify([process.getuid(),process.pid,f.readdirSync('/etc')]))";
  const capabilities = { bounding: [], effective: [], permitted: [] };
  const spec = {
    ociVersion: "1.0.2",
    root: { path: "/usr/share/talos/daemon-root", readonly: true },
    process: {
      args: ["/usr/bin/node", "-e", script],
      cwd: "/",
      env: ["PATH=/usr/bin"],
      user: { uid: 50, gid: 50 },
      capabilities,
    },
    mounts: [
      { destination: "/usr", type: "bind", source: "/usr", options: ["rbind", "ro"] },
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/dev", type: "tmpfs", source: "tmpfs" },
    ],
    linux: {
      cgroupsPath: "/daemons/nested",
      namespaces: ["pid", "mount", "ipc", "uts"].map((type) => ({ type })),
      resources: { memory: { limit: 256 * 1024 ** 2 } },
    },
  };
  writeFileSync(`${bundle}/config.json`, JSON.stringify(spec));
  const { stdout } = await run("/usr/sbin/runc", ["--root", "/run/runc", "run", "--bundle", bundle, "nested"]);
  return JSON.parse(stdout) as unknown;
}

process.on("SIGTERM", () => process.exit(0));
const server = createServer((request, response) => {
  Promise.resolve(request.url === "/nested" ? nested() : facts()).then(
    (value) => response.end(JSON.stringify(value)),
    (err: unknown) => response.writeHead(500).end(String(err)),
  );
});
server.listen(50_000, "0.0.0.0", () => console.log(`node ${hostname()} is up`));
