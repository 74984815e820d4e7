import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../..");

/** A clone of HEAD that uses the packages of this repository's `node_modules`. Disposing removes it. */
export interface Scratch extends AsyncDisposable {
  readonly root: string;
  /** Adds a hand-written file. */
  write(path: string, content: string): Promise<void>;
  /** Adds a line to a list, before the first line that contains `before`, behind the text `after` if that is given. */
  insert(path: string, line: string, before: string, after?: string): Promise<void>;
  /** Runs a program of `node_modules/.bin`, or `node`; its output is part of the failure. */
  exec(program: string, ...args: readonly string[]): Promise<string>;
}

export async function createScratch(): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), "recipes-"));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await run("git", ["clone", "--quiet", "--shared", repository, root]);
    await linkModules(root);
  } catch (err) {
    await remove();
    throw err;
  }
  return {
    root,
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    async insert(path, line, before, after = "") {
      const text = await readFile(join(root, path), "utf8");
      const at = text.indexOf(before, text.indexOf(after));
      if (at === -1) throw new Error(`${path} has no line with ${before}`);
      const start = text.lastIndexOf("\n", at) + 1;
      await writeFile(join(root, path), `${text.slice(0, start)}${line}\n${text.slice(start)}`);
    },
    async exec(program, ...args) {
      const file = program === "node" ? process.execPath : join(root, "node_modules/.bin", program);
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
      const { stdout } = await run(file, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
      return stdout;
    },
    [Symbol.asyncDispose]: remove,
  };
}

/** Links installed packages from the repository, and those of the workspace from the clone. */
async function linkModules(root: string): Promise<void> {
  const installed = join(repository, "node_modules");
  const modules = join(root, "node_modules");
  await mkdir(join(modules, "@talos-ts"), { recursive: true });
  for (const name of await readdir(installed)) {
    if (name !== "@talos-ts") await symlink(join(installed, name), join(modules, name));
  }
  for (const name of await readdir(join(installed, "@talos-ts"))) {
    // Relative to node_modules, so the same link leads into the clone.
    await symlink(await readlink(join(installed, "@talos-ts", name)), join(modules, "@talos-ts", name));
  }
}
