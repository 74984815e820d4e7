import assert from "node:assert/strict";
import { test } from "node:test";
import { OsError } from "@talos-ts/base";
import { withFreshPins } from "./fresh-pins.ts";
import { silent } from "@talos-ts/host";

const gone = new OsError({ kind: "unavailable", code: "image/gone", message: "dropped" });

/** A build that fails with what it finds in its list, and notes what it was asked for. */
function builder(...failures: readonly unknown[]): { build: (refresh: boolean) => Promise<string>; asked: boolean[] } {
  const asked: boolean[] = [];
  return {
    asked,
    build: async (refresh) => {
      const failure = failures[asked.length];
      asked.push(refresh);
      await Promise.resolve();
      if (failure !== undefined) throw failure;
      return "image";
    },
  };
}

test("withFreshPins pins anew when the archive has dropped a version, once", async () => {
  const once = builder(gone);
  assert.equal(await withFreshPins(false, once.build, silent), "image");
  assert.deepEqual(once.asked, [false, true]);
  const twice = builder(gone, gone);
  await assert.rejects(withFreshPins(false, twice.build, silent), gone);
  assert.deepEqual(twice.asked, [false, true]);
});

test("withFreshPins leaves other failures, and what is fresh already, as they are", async () => {
  const other = builder(new Error("disk"));
  await assert.rejects(withFreshPins(false, other.build, silent), /disk/);
  assert.deepEqual(other.asked, [false]);
  const fresh = builder(gone);
  await assert.rejects(withFreshPins(true, fresh.build, silent), gone);
  assert.deepEqual(fresh.asked, [true]);
});
