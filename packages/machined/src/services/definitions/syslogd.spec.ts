import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createLinux } from "@talos-ts/linux";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { createLogStore } from "../../logs/log-store.ts";
import { syslogdService } from "./syslogd.ts";

describe("syslogdService()", () => {
  it("writes datagrams of the real socket and kernel messages to its log", async () => {
    await using folder = await temporaryDirectory();
    await mkdir(join(folder.path, "dev"));
    using real = createLinux();
    // The kernel's messages belong to the host; only the socket is real.
    const memory = createMemoryLinux();
    await memory.kernelLog.write("link eth0 up", "warning");
    const linux = { ...memory, unixDatagrams: real.unixDatagrams };
    const logs = createLogStore();
    const service = syslogdService({ linux, clock: systemClock, logs, root: folder.path });
    const stop = new AbortController();
    const started = Promise.withResolvers<void>();
    const running = service.runner()?.run((state) => void (state === "running" && started.resolve()), stop.signal);
    await started.promise;
    const lines = logs.get("syslogd").read({ follow: true, signal: stop.signal })[Symbol.asyncIterator]();
    const next = async (): Promise<Record<string, unknown>> =>
      JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
    const kernel = await next();
    assert.deepEqual([kernel["tag"], kernel["content"], kernel["severity"]], ["kernel", "link eth0 up", 4]);
    await real.unixDatagrams.send(join(folder.path, "dev/log"), Buffer.from("<30>Jun  1 12:00:00 cron[7]: run\0"));
    const message = await next();
    assert.deepEqual([message["tag"], message["content"], message["facility"]], ["cron", "run", 3]);
    stop.abort();
    await running;
    await assert.rejects(real.unixDatagrams.send(join(folder.path, "dev/log"), Buffer.from("x")), {
      code: "unix/enoent",
    });
  });
});
