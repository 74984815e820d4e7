import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setEndpoints, useContext, addContext } from "./edit.ts";
import { openTalosconfig, saveTalosconfig } from "./file.ts";
import { emptyConfig, emptyContext } from "./model.ts";
import { talosconfigPaths, talosDirectory, type LookupEnvironment } from "./paths.ts";

interface Home extends Disposable {
  readonly path: string;
  readonly environment: LookupEnvironment;
}

function createHome(env: (home: string) => Record<string, string> = () => ({})): Home {
  const path = mkdtempSync(join(tmpdir(), "talosconfig-"));
  const environment = { env: env(path), home: path, serviceAccountDirectory: join(path, "pod") };
  return { path, environment, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const mode = (path: string): number => statSync(path).mode & 0o777;
const empty = 'context: ""\ncontexts: {}\n';

describe("talosconfigPaths() (T-08)", () => {
  it("looks at $TALOSCONFIG, the home directory, the service account", () => {
    const environment = { env: { TALOSCONFIG: "/x" }, home: "/h" };
    assert.deepEqual(talosconfigPaths(environment), [
      { path: "/x", writeAllowed: true },
      { path: "/h/.talos/config", writeAllowed: true },
      { path: "/var/run/secrets/talos.dev/config", writeAllowed: false },
    ]);
  });
  it("takes $TALOS_HOME only if it is absolute", () => {
    assert.equal(talosDirectory({ env: { TALOS_HOME: "/t" }, home: "/h" }), "/t");
    assert.equal(talosDirectory({ env: { TALOS_HOME: "t" }, home: "/h" }), "/h/.talos");
  });
});

describe("openTalosconfig() (T-08)", () => {
  it("creates an empty file for its owner alone where there is none", async () => {
    using home = createHome();
    const { location, config } = await openTalosconfig(undefined, home.environment);
    assert.deepEqual(location, { path: join(home.path, ".talos", "config"), writeAllowed: true });
    assert.deepEqual(config, emptyConfig);
    assert.equal(readFileSync(location.path, "utf8"), empty);
    assert.equal(mode(location.path), 0o600);
    assert.equal(mode(join(home.path, ".talos")), 0o700);
  });
  it("takes the first file that exists, and creates none then", async () => {
    using home = createHome((path) => ({ TALOSCONFIG: join(path, "absent") }));
    mkdirSync(join(home.path, "pod"));
    writeFileSync(join(home.path, "pod", "config"), "context: pod\ncontexts: {pod: {}}\n");
    const file = await openTalosconfig(undefined, home.environment);
    assert.equal(file.config.context, "pod");
    assert.ok(!existsSync(join(home.path, "absent")));
    await assert.rejects(saveTalosconfig(file), {
      code: "talosconfig/read-only",
      message: `not allowed to write to config: ${file.location.path}`,
    });
  });
  it("creates the file that was named", async () => {
    using home = createHome();
    const path = join(home.path, "a", "b");
    assert.equal((await openTalosconfig(path, home.environment)).location.path, path);
    assert.equal(readFileSync(path, "utf8"), empty);
  });
  it("says which file it cannot read", async () => {
    using home = createHome();
    await assert.rejects(openTalosconfig(home.path), {
      code: "talosconfig/unreadable",
      message: /^Cannot read config: /,
    });
    const path = join(home.path, "broken");
    writeFileSync(path, "a: [");
    await assert.rejects(openTalosconfig(path), {
      code: "talosconfig/bad-yaml",
      message: new RegExp(`^Cannot read ${path}`),
    });
  });
});

describe("saveTalosconfig()", () => {
  it("replaces the file as a whole and leaves nothing beside it", async () => {
    using home = createHome();
    const path = join(home.path, "config");
    writeFileSync(path, empty, { mode: 0o644 });
    const { location } = await openTalosconfig(path);
    const config = setEndpoints(useContext(addContext(emptyConfig, "a", emptyContext), "a"), ["10.5.0.2"]);
    await saveTalosconfig({ location, config });
    assert.deepEqual((await openTalosconfig(path)).config, config);
    assert.equal(mode(path), 0o600);
    assert.deepEqual(readdirSync(home.path), ["config"]);
  });
  it("writes through a symbolic link", async () => {
    using home = createHome();
    const [target, link] = [join(home.path, "target"), join(home.path, "link")];
    writeFileSync(target, "");
    symlinkSync(target, link);
    await saveTalosconfig({ location: { path: link, writeAllowed: true }, config: emptyConfig });
    assert.equal(readlinkSync(link), target);
    assert.equal(readFileSync(target, "utf8"), empty);
  });
  it("says which file it cannot write", async () => {
    const location = { path: "/dev/null/config", writeAllowed: true };
    await assert.rejects(saveTalosconfig({ location, config: emptyConfig }), {
      code: "talosconfig/unwritable",
      message: /^error writing config: \/dev\/null\/config: /,
    });
  });
});
