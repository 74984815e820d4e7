import assert from "node:assert/strict";
import { test } from "node:test";
import { apiServices } from "@talos-ts/machinery/api-services";
import { allowsFanOut, isStreaming } from "./fan-out.ts";

test("isStreaming agrees with the descriptors for every method that may be sent to several nodes", () => {
  for (const service of apiServices) {
    for (const { name, methodKind } of service.methods) {
      const method = `/${service.typeName}/${name}`;
      if (allowsFanOut(method)) assert.equal(isStreaming(method), methodKind === "server_streaming", method);
    }
  }
});
