import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { runCommand, type Result } from "../testing/run-command.ts";

const folder = await mkdtemp(join(tmpdir(), "validate-"));
after(() => rm(folder, { recursive: true }));

async function validate(text: string, ...flags: readonly string[]): Promise<Result> {
  const path = join(folder, "config.yaml");
  await writeFile(path, text);
  return runCommand(["validate", "-m", "cloud", "-c", path, ...flags]);
}

const machine = `version: v1alpha1
machine:
  type: TYPE
  token: abcdef.0123456789abcdef
  ca: {crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K}
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
`;

describe("validate", () => {
  it("tells the line and the path of everything that is wrong at once", async () => {
    const broken = `${machine.replace("TYPE", "foo")}---\napiVersion: v1alpha1\nkind: TimeSyncConfig\nbootTimeout: -1s\n`;
    const { code, err } = await validate(broken);
    assert.equal(code, 1);
    assert.match(
      err,
      new RegExp(
        [
          'v1alpha1\\.Config: line 3, column 3: machine\\.type: unknown machine type "foo"',
          "TimeSyncConfig: line 11, column 1: bootTimeout: bootTimeout cannot be negative",
          ".*/config\\.yaml is not valid for cloud mode: 2 errors",
        ].join("\n"),
      ),
    );
  });
  it("tells warnings apart from errors, unless it is strict", async () => {
    const old = machine.replace("TYPE", "join");
    const { out, err } = await validate(old);
    const warning = 'line 3, column 3: machine.type: use "worker" instead of "join" for machine type';
    assert.equal(err, `WARNING: v1alpha1.Config: ${warning}\n`);
    assert.match(out, /config\.yaml is valid for cloud mode\n$/);
    const strict = await validate(old, "--strict");
    assert.equal(strict.code, 1);
    assert.match(strict.err, /warning: use "worker" instead of "join"/);
  });
});
