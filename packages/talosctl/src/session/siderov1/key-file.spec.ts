import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyFiles } from "./key-file.ts";

const key = { context: "omni", identity: "me@example.org", directory: undefined };

describe("keyFiles()", () => {
  it("prefers the flag, then the variable, then the directory of the client", () => {
    const first = (directory: string | undefined, env: Readonly<Record<string, string>>): string =>
      keyFiles({ ...key, directory, env: { HOME: "/home/me", ...env } })[0];
    assert.equal(first("/flag", { SIDEROV1_KEYS_DIR: "/variable" }), "/flag/omni-me@example.org.pgp");
    assert.equal(first(undefined, { SIDEROV1_KEYS_DIR: "/variable" }), "/variable/omni-me@example.org.pgp");
    assert.equal(first(undefined, { SIDEROV1_KEYS_DIR: "" }), "/home/me/.talos/keys/omni-me@example.org.pgp");
    assert.equal(first(undefined, { TALOS_HOME: "/talos" }), "/talos/keys/omni-me@example.org.pgp");
  });

  it("falls back to the data directory of XDG", () => {
    const second = (env: Readonly<Record<string, string>>): string =>
      keyFiles({ ...key, env: { HOME: "/home/me", ...env } })[1];
    assert.equal(second({}), "/home/me/.local/share/talos/keys/omni-me@example.org.pgp");
    assert.equal(second({ XDG_DATA_HOME: "/data" }), "/data/talos/keys/omni-me@example.org.pgp");
    assert.equal(second({ XDG_DATA_HOME: "relative" }), "/home/me/.local/share/talos/keys/omni-me@example.org.pgp");
  });
});
