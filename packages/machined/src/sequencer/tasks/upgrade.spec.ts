import assert from "node:assert/strict";
import { test } from "node:test";
import type { BootAssets } from "../../boot-loader/boot-assets.ts";
import type { TaskContext } from "../../sequence.ts";
import { upgrade } from "./upgrade.ts";

test("upgrade() installs the image that was asked for, and lets go of it", async () => {
  const done: unknown[] = [];
  const assets = { [Symbol.asyncDispose]: async () => void done.push("closed") } as unknown as BootAssets;
  const task = upgrade({
    openImage: async (reference, namespace) => {
      done.push([reference, namespace]);
      return assets;
    },
    bootLoader: {
      install: async (given) => {
        done.push(given === assets ? "installed" : "something else");
        throw new Error("no space");
      },
    },
  });
  const request = { image: "example.org/installer:v1.13.10", imageNamespace: "inmem" };
  const context = { request, log: () => undefined, signal: new AbortController().signal } as unknown as TaskContext;
  await assert.rejects(task(context), /no space/);
  assert.deepEqual(done, [["example.org/installer:v1.13.10", "inmem"], "installed", "closed"]);
});
