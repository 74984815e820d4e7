import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { roles } from "@talos-ts/machinery/roles";
import { ListRequest_Type } from "@talos-ts/proto/machine/file";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode, type TestNode } from "../../testing.ts";

/** `/data` with a file, a folder with a file in it, and links inside and outside. */
async function nodeWithFiles(): Promise<TestNode> {
  const node = await createTestNode();
  const data = join(node.root, "data");
  await mkdir(join(data, "sub"), { recursive: true });
  await writeFile(join(data, "a.txt"), "hello");
  await writeFile(join(data, "sub/b.txt"), "x".repeat(100_000));
  await chmod(join(data, "a.txt"), 0o640);
  await symlink("/data/sub", join(node.root, "link"));
  await symlink("../../../../../../etc/passwd", join(data, "out"));
  return node;
}

const bytesOf = async (stream: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(stream, ({ bytes }) => bytes));

describe("list()", () => {
  it("names what is in a folder, in order, with modes as clients know them", async () => {
    await using node = await nodeWithFiles();
    const files = await Array.fromAsync(node.client(MachineService, roles.reader).list({ root: "data" }));
    assert.deepEqual(
      files.map(({ relativeName, isDir, link }) => [relativeName, isDir, link]),
      [
        [".", true, ""],
        ["a.txt", false, ""],
        ["out", false, "../../../../../../etc/passwd"],
        ["sub", true, ""],
      ],
    );
    assert.equal(files[1]?.mode, 0o640);
    assert.equal(files[2]?.mode, 0x08000000 | 0o777);
    assert.equal((files[3]?.mode ?? 0) >>> 31, 1);
  });
  it("names files whose names are no text, and gives their contents", async () => {
    await using node = await nodeWithFiles();
    const folder = Buffer.concat([Buffer.from(join(node.root, "data/")), Buffer.from("caf\xe9", "latin1")]);
    await mkdir(folder);
    await writeFile(Buffer.concat([folder, Buffer.from("/\xff", "latin1")]), "inside");
    const client = node.client(MachineService);
    const names = await Array.fromAsync(client.list({ root: "/data/caf\\xe9" }), ({ name }) => name);
    assert.deepEqual(names, ["/data/caf\\xe9", "/data/caf\\xe9/\\xff"]);
    assert.equal((await bytesOf(client.read({ path: "/data/caf\\xe9/\\xff" }))).toString(), "inside");
    const archive = await bytesOf(client.copy({ rootPath: "/data" }));
    const listed = execFileSync("tar", ["-tzf", "-"], { input: archive, encoding: "utf8" });
    assert.match(listed, /^caf\\+xe9\/\\+xff$/m);
  });
  it("goes as deep as asked and keeps only the types asked for", async () => {
    await using node = await nodeWithFiles();
    const request = { root: "/data", recurse: true, types: [ListRequest_Type.REGULAR] };
    const all = await Array.fromAsync(node.client(MachineService).list(request), ({ relativeName }) => relativeName);
    assert.deepEqual(all, ["a.txt", "sub/b.txt"]);
    const flat = { ...request, recursionDepth: 1 };
    const some = await Array.fromAsync(node.client(MachineService).list(flat), ({ name }) => name);
    assert.deepEqual(some, ["/data/a.txt"]);
  });
  it("says what is missing", async () => {
    await using node = await nodeWithFiles();
    await assert.rejects(Array.fromAsync(node.client(MachineService).list({ root: "/no/such" })), {
      kind: "not-found",
      message: "stat /no/such: no such file or directory",
    });
  });
});

describe("read()", () => {
  it("streams a file, through links that stay inside", async () => {
    await using node = await nodeWithFiles();
    const client = node.client(MachineService);
    assert.equal((await bytesOf(client.read({ path: "/data/a.txt" }))).toString(), "hello");
    assert.equal((await bytesOf(client.read({ path: "/link/b.txt" }))).length, 100_000);
    const large = randomBytes(3_000_000);
    await writeFile(join(node.root, "data/large"), large);
    assert.ok(large.equals(await bytesOf(client.read({ path: "/data/large" }))));
  });
  it("does not follow links out of the root", async () => {
    await using node = await nodeWithFiles();
    await assert.rejects(bytesOf(node.client(MachineService).read({ path: "/data/out" })), { kind: "not-found" });
  });
  it("reads nothing but regular files", async () => {
    await using node = await nodeWithFiles();
    await assert.rejects(bytesOf(node.client(MachineService).read({ path: "/data" })), {
      message: "path must be a regular file",
    });
  });
  it("is for administrators", async () => {
    await using node = await nodeWithFiles();
    await assert.rejects(bytesOf(node.client(MachineService, roles.operator).read({ path: "/data/a.txt" })), {
      message: "not authorized",
    });
  });
});

describe("copy()", () => {
  it("packs an archive that tar unpacks, long and foreign names included", async () => {
    await using node = await nodeWithFiles();
    const long = `sub/${"long".repeat(40)}`;
    await writeFile(join(node.root, "data", long), "deep");
    await writeFile(join(node.root, "data/grüße"), "hallo");
    const packed = await bytesOf(node.client(MachineService).copy({ rootPath: "/data" }));
    const target = await mkdtemp(join(tmpdir(), "untar-"));
    try {
      execFileSync("tar", ["-xzf", "-", "-C", target], { input: packed });
      assert.equal(await readFile(join(target, "a.txt"), "utf8"), "hello");
      assert.equal(await readFile(join(target, long), "utf8"), "deep");
      assert.equal(await readFile(join(target, "grüße"), "utf8"), "hallo");
      assert.equal((await readFile(join(target, "sub/b.txt"))).length, 100_000);
      assert.equal(await readlink(join(target, "out")), "../../../../../../etc/passwd");
    } finally {
      await rm(target, { recursive: true });
    }
  });
  it("sends the whole archive before it says what was left out", async () => {
    await using node = await nodeWithFiles();
    const path = join(node.root, "data/s");
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(path, resolve));
    try {
      const pieces: Uint8Array[] = [];
      const receive = async (): Promise<void> => {
        for await (const { bytes } of node.client(MachineService).copy({ rootPath: "/data" })) pieces.push(bytes);
      };
      await assert.rejects(receive(), {
        message: '1 error occurred:\n\t* skipping "/data/s": sockets not supported\n\n',
      });
      const names = execFileSync("tar", ["-tzf", "-"], { input: Buffer.concat(pieces) }).toString();
      assert.deepEqual(names.split("\n").slice(0, -1), ["a.txt", "out", "sub/", "sub/b.txt"]);
    } finally {
      socket.close();
    }
  });
  it("wants a whole path", async () => {
    await using node = await nodeWithFiles();
    await assert.rejects(bytesOf(node.client(MachineService).copy({ rootPath: "data" })), {
      message: "path is not absolute data",
    });
  });
});

describe("diskUsage()", () => {
  it("adds up folders and reports them after their contents", async () => {
    await using node = await nodeWithFiles();
    const found = await Array.fromAsync(node.client(MachineService).diskUsage({ paths: ["/data"], all: true }));
    assert.deepEqual(
      found.map(({ relativeName }) => relativeName),
      ["a.txt", "out", "sub/b.txt", "sub", "."],
    );
    const [a, out, b, sub, all] = found.map(({ size }) => size);
    assert.equal(a, 5n);
    assert.ok(sub !== undefined && b !== undefined && sub > b);
    const own = (all ?? 0n) - (a ?? 0n) - (out ?? 0n) - sub;
    assert.ok(own > 0n && own < 100_000n);
  });
  it("keeps to depth and threshold, and goes on after a path that is missing", async () => {
    await using node = await nodeWithFiles();
    const request = { paths: ["/none", "/data"], recursionDepth: 1, all: true, threshold: 50_000n };
    const found = await Array.fromAsync(node.client(MachineService).diskUsage(request));
    assert.deepEqual(
      found.map(({ name, error }) => [name, error]),
      [
        ["/none", "stat /none: no such file or directory"],
        ["/data", ""],
      ],
    );
  });
});
