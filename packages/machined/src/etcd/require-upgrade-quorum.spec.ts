import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMemberCount } from "./require-upgrade-quorum.ts";

test("T-32: refuses to upgrade one of two members, in the known words", () => {
  for (const count of [1, 3, 4, 5]) checkMemberCount(count);
  assert.throws(() => checkMemberCount(2), {
    kind: "failed-precondition",
    code: "etcd/no-quorum-left",
    message: "etcd member count(2) is insufficient to maintain quorum if upgrade commences",
  });
});
