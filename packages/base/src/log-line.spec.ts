import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { logLine } from "./log-line.ts";

describe("logLine()", () => {
  it("puts the time first and keeps one line one line", () => {
    const at = new Date(0);
    assert.equal(logLine("peer said größe", at), "1970-01-01T00:00:00.000Z peer said größe");
    assert.equal(logLine("a\nb\u001b[0m", at), "1970-01-01T00:00:00.000Z a\\u000ab\\u001b[0m");
  });
});
