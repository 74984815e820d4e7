import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { usageError } from "./usage-error.ts";

function say(message: string): string {
  return usageError({ message, path: "talosctl get", flags: ["--output", "--watch"] }).message;
}

describe("usageError()", () => {
  it("uses the words of upstream's parser", () => {
    assert.equal(say("error: unknown option '--foo'"), "unknown flag: --foo");
    assert.equal(say("error: unknown option '-Z'"), "unknown shorthand flag: 'Z' in -Z");
    assert.equal(
      say("error: required option '-c, --config <path>' not specified"),
      'required flag(s) "config" not set',
    );
    assert.equal(say("error: option '-n, --nodes <list>' argument missing"), "flag needs an argument: --nodes");
    assert.equal(say("error: missing required argument 'type'"), "missing argument <type>");
    assert.equal(
      say("error: too many arguments for 'get'. Expected 2 arguments but got 3: a, b, c."),
      "accepts at most 2 arg(s), received 3",
    );
    assert.equal(
      say("error: option '-m, --mode <mode>' argument 'foo' is invalid. Allowed choices are metal, cloud."),
      'invalid argument "foo" for "-m, --mode" flag: expected metal, cloud',
    );
  });
  it("suggests a flag that is written nearly so", () => {
    assert.equal(say("error: unknown option '--outptu'"), "unknown flag: --outptu, did you mean --output?");
  });
  it("keeps other messages, and names the help of the command", () => {
    const error = usageError({ message: "error: something else", path: "talosctl get", flags: [] });
    assert.equal(error.message, "something else");
    assert.equal(error.next, "talosctl get --help");
    assert.equal(error.code, "cli/usage");
  });
});
