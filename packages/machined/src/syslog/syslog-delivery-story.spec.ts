import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createLinux } from "@talos-ts/linux";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { activeResource, mainDocument } from "../controllers/internal/testing.ts";
import { logDeliveryController } from "../controllers/runtime/log-delivery.ts";
import { createLogStore } from "../logs/log-store.ts";
import { syslogdService } from "../services/definitions/syslogd.ts";

it("a datagram on /dev/log arrives as a JSON line at a receiver of machine.logging", async () => {
  await using folder = await temporaryDirectory();
  await mkdir(join(folder.path, "dev"));
  using real = createLinux();
  // Messages of this host's kernel are not those of the machine; both sockets are real.
  const memory = createMemoryLinux();
  await memory.kernelLog.write("link eth0 up", "warning");
  const linux = { ...memory, unixDatagrams: real.unixDatagrams };
  const logs = createLogStore();
  const service = syslogdService({ linux, clock: systemClock, logs, root: folder.path });
  const stop = new AbortController();
  const running = service.runner()?.run(() => undefined, stop.signal);

  const receiver = createServer().listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const connected = once(receiver, "connection");
  await using test = controllerTest({ register: [logDeliveryController({ logs, clock: systemClock })] });
  const endpoint = `tcp://127.0.0.1:${String(port)}`;
  await test.create(
    activeResource(mainDocument("logging:", `  destinations: [{endpoint: "${endpoint}", format: json_lines}]`)),
  );

  const [connection] = (await connected) as [Socket];
  const lines = createInterface({ input: connection })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
  // The kernel is read once the socket is there.
  assert.deepEqual(await next().then((kernel) => [kernel["talos-service"], kernel["tag"], kernel["content"]]), [
    "syslogd",
    "kernel",
    "link eth0 up",
  ]);
  const socket = join(folder.path, "dev/log");
  await real.unixDatagrams.send(socket, Buffer.from("<27>Jun  1 12:00:00 cron[7]: disk is full\0"));
  const first = await next();
  assert.deepEqual(
    [first["talos-service"], first["tag"], first["content"], first["severity"]],
    ["syslogd", "cron", "disk is full", 3],
  );
  // The connection stays: what comes later leaves on it at once.
  await real.unixDatagrams.send(socket, Buffer.from("<30>1 2026-06-01T12:00:00Z host app 8 - - started\0"));
  assert.equal((await next())["talos-service"], "syslogd");

  stop.abort();
  await running;
  receiver.close();
});
