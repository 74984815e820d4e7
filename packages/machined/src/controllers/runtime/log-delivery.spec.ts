import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { createLogStore } from "../../logs/log-store.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { logDeliveryController } from "./log-delivery.ts";

describe("logDeliveryController()", () => {
  it("sends what logs have and what is written later to a real socket, and stops with the setting", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const logs = createLogStore();
    logs.open("etcd").write("before\n");
    await using test = controllerTest({ register: [logDeliveryController({ logs, clock: systemClock })] });
    const config = activeResource(
      mainDocument(
        "logging:",
        `  destinations: [{endpoint: "tcp://127.0.0.1:${String(port)}", format: json_lines, extraTags: {site: a}}]`,
      ),
    );
    const connected = once(server, "connection");
    await test.create(config);
    const [socket] = (await connected) as [Socket];
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const next = async (): Promise<Record<string, string>> =>
      JSON.parse((await lines.next()).value as string) as Record<string, string>;
    const first = await next();
    assert.deepEqual(
      [first["msg"], first["talos-service"], first["site"], first["talos-level"]],
      ["before", "etcd", "a", "info"],
    );
    logs.open("kubelet").write('{"level":"err');
    logs.open("kubelet").write('or","msg":"after"}\n');
    const second = await next();
    assert.deepEqual([second["msg"], second["talos-service"], second["talos-level"]], ["after", "kubelet", "error"]);
    await test.remove(config);
    assert.equal((await lines.next()).done, true, "the connection ends with the setting");
    server.close();
  });
});
