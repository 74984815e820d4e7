import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createKubernetesClient } from "./client.ts";
import { follow } from "./follow.ts";
import { kinds } from "./kinds.ts";
import { openWatch, startTestApiServer, type Answer } from "./testing.ts";

const object = (name: string, resourceVersion: string): object => ({ metadata: { name, resourceVersion } });

/** Follows until `count` sets were seen. */
async function seenWith(answer: Answer, count: number): Promise<{ sets: string[]; errors: unknown[] }> {
  const end = new AbortController();
  const clock = createManualClock();
  const sets: string[] = [];
  const errors: unknown[] = [];
  await using server = await startTestApiServer(answer);
  using client = createKubernetesClient({ access: server.access });
  const following = follow(client, kinds.node, {
    signal: end.signal,
    clock,
    onError: (error) => errors.push(error),
    onChange(objects) {
      sets.push([...objects.keys()].join(" "));
      if (sets.length >= count) end.abort();
    },
  });
  while (!end.signal.aborted) {
    await clock.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await following;
  return { sets, errors };
}

describe("follow", () => {
  it("shows the list and then every change", async () => {
    const { sets } = await seenWith(({ query }, response) => {
      if (query.get("watch") === null) return { items: [object("a", "1")], metadata: { resourceVersion: "1" } };
      const send = openWatch(response);
      send("ADDED", object("b", "2"));
      send("DELETED", object("a", "3"));
      return undefined;
    }, 3);
    assert.deepEqual(sets, ["a", "a b", "b"]);
  });

  it("goes on from the last version when a watch ends", async () => {
    const versions: string[] = [];
    const { sets, errors } = await seenWith(({ query }, response) => {
      if (query.get("watch") === null) return { items: [], metadata: { resourceVersion: "1" } };
      versions.push(query.get("resourceVersion") ?? "");
      const send = openWatch(response);
      send("ADDED", object(`n${String(versions.length)}`, String(versions.length + 1)));
      response.end();
      return undefined;
    }, 3);
    assert.deepEqual(sets, ["", "n1", "n1 n2"]);
    assert.deepEqual(versions.slice(0, 2), ["1", "2"]);
    assert.deepEqual(errors, []);
  });

  it("lists again when the version is gone", async () => {
    let lists = 0;
    const { sets, errors } = await seenWith(({ query }, response) => {
      if (query.get("watch") === null) {
        lists += 1;
        return { items: [object(`n${String(lists)}`, "1")], metadata: { resourceVersion: "1" } };
      }
      const send = openWatch(response);
      send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" });
      response.end();
      return undefined;
    }, 2);
    assert.deepEqual(sets, ["n1", "n2"]);
    assert.match(String(errors[0]), /WATCH \/api\/v1\/nodes: too old resource version/);
  });
});
