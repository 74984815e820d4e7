import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { hostArchive, openAptWorkspace, type AptWorkspace } from "./apt-workspace.ts";

const scratch = await mkdtemp(join(tmpdir(), "imager-apt-"));
after(() => rm(scratch, { recursive: true }));

function workspace(name: string, uri: string): Promise<AptWorkspace> {
  return openAptWorkspace({
    directory: join(scratch, name),
    suite: "trixie",
    architecture: "amd64",
    archive: { uri, suites: [], components: ["main"], signedBy: undefined },
    keyring: join(scratch, "empty.gpg"),
    retries: 0,
  });
}

test("hostArchive reads both formats and prefers the host's own release", async () => {
  const root = join(scratch, "etc");
  await mkdir(join(root, "sources.list.d"), { recursive: true });
  await writeFile(join(root, "os-release"), "VERSION_CODENAME=bookworm\n");
  await writeFile(join(root, "sources.list.d/vendor.list"), "deb https://vendor.example/apt stable main\n");
  await writeFile(
    join(root, "sources.list.d/debian.sources"),
    "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n",
  );
  const archive = await hostArchive(root, join(root, "os-release"));
  assert.equal(archive.uri, "http://mirror.example/debian");
});

test("openAptWorkspace keeps apt away from the host's sources and lists", async () => {
  const { directory } = await workspace("private", "file:///nowhere");
  assert.match(await readFile(join(directory, "apt.conf"), "utf8"), /Dir::Etc::sourceparts "\/dev\/null";/);
  assert.match(
    await readFile(join(directory, "etc/sources.list"), "utf8"),
    /^deb \[signed-by=.*\] file:\/\/\/nowhere trixie/,
  );
});

test("AptWorkspace.update names the archive that does not answer", async () => {
  const apt = await workspace("absent", "http://127.0.0.1:1/debian");
  await assert.rejects(
    apt.update(),
    (err) => isCode(err, "image/archive") && err.message.includes('"http://127.0.0.1:1/debian"'),
  );
});

test("AptWorkspace.update refuses an archive that nobody trusted has signed", async () => {
  const archive = join(scratch, "archive");
  await mkdir(join(archive, "dists/trixie"), { recursive: true });
  await writeFile(join(archive, "dists/trixie/Release"), "Suite: trixie\nCodename: trixie\n");
  const apt = await workspace("unsigned", `file://${archive}`);
  await assert.rejects(
    apt.update(),
    (err) => isCode(err, "image/untrusted") && (err.next ?? "").includes("debian-archive-keyring"),
  );
});
