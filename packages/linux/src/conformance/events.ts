import assert from "node:assert/strict";
import type { KernelLogRecord } from "../kmsg/kernel-log.ts";
import type { ConformanceSuites } from "./subject.ts";

export const eventsSuites: ConformanceSuites = {
  Uevents: {
    "watch() tells a new network device and ends when left": async (subject) => {
      const { networks, uevents } = subject.linux;
      const watch = await uevents.watch();
      const name = `ue${String(process.pid)}`;
      const link = await networks.here.createLink({ name, info: { kind: "bridge" } });
      assert.ok(link);
      for await (const message of watch) {
        if (message.kind !== "uevent" || message.uevent.values.get("INTERFACE") !== name) continue;
        assert.equal(message.uevent.action, "add");
        assert.equal(message.uevent.subsystem, "net");
        assert.ok(message.uevent.devicePath.endsWith(`/net/${name}`));
        break;
      }
      await networks.here.deleteLink(link.index);
    },
    "watch() ends with its signal": async (subject) => {
      const abort = new AbortController();
      const watch = await subject.linux.uevents.watch({ signal: abort.signal });
      abort.abort();
      assert.ok(Array.isArray(await Array.fromAsync(watch)));
    },
  },

  UnixDatagrams: {
    "listen() receives what send() sends, and ends with its socket": async (subject) => {
      const { unixDatagrams } = subject.linux;
      const path = `${await subject.makeFolder()}/log`;
      const first = Promise.withResolvers<Buffer>();
      const socket = await unixDatagrams.listen({ path, mode: 0o666, onMessage: (message) => first.resolve(message) });
      await unixDatagrams.send(path, Buffer.from("<6>a: b"));
      assert.equal((await first.promise).toString(), "<6>a: b");
      await socket[Symbol.asyncDispose]();
      await assert.rejects(unixDatagrams.send(path, Buffer.from("x")), { code: "unix/enoent" });
    },
  },

  KernelLog: {
    "read() gives what write() wrote, and follows from the end": async (subject) => {
      const { kernelLog } = subject.linux;
      const text = `talos-ts conformance ${String(process.pid)} ${String(performance.now())}`;
      const abort = new AbortController();
      const following = (async (): Promise<KernelLogRecord> => {
        for await (const record of kernelLog.read({ follow: true, from: "end", signal: abort.signal })) {
          if (record.text === text) return record;
        }
        return assert.fail("the log ended");
      })();
      await kernelLog.write(text, "warning");
      const record = await following;
      assert.equal(record.severity, "warning");
      assert.equal(record.facility, 1);
      const past = await Array.fromAsync(kernelLog.read());
      assert.ok(past.some((each) => each.sequence === record.sequence && each.text === text));
      abort.abort();
    },
    "read() with follow ends with its signal while it waits": async (subject) => {
      const abort = new AbortController();
      const reading = Array.fromAsync(
        subject.linux.kernelLog.read({ follow: true, from: "end", signal: abort.signal }),
      );
      setImmediate(() => abort.abort());
      await reading;
    },
  },

  Files: {
    "tryLock() refuses a second holder until the first lets go": async (subject) => {
      const { files } = subject.linux;
      const path = `${await subject.makeFolder()}/lock`;
      {
        await using lock = await files.tryLock(path);
        assert.equal(lock?.path, path);
        assert.equal(await files.tryLock(path), undefined);
        assert.equal(await files.tryLock(path, { shared: true }), undefined);
      }
      await using one = await files.lock(path, { shared: true });
      await using two = await files.lock(path, { shared: true });
      assert.ok(one !== two);
    },
    "lock() stops waiting with its signal": async (subject) => {
      const { files } = subject.linux;
      const path = `${await subject.makeFolder()}/lock`;
      await using _lock = await files.lock(path);
      const abort = new AbortController();
      const waiting = files.lock(path, { signal: abort.signal });
      abort.abort(new Error("enough"));
      await assert.rejects(waiting, { message: "enough" });
    },
    "makeFifo() replaces what is there and needs its folder": async (subject) => {
      const { files } = subject.linux;
      const folder = await subject.makeFolder();
      await files.makeFifo(`${folder}/pipe`, 0o600);
      await files.makeFifo(`${folder}/pipe`, 0o600);
      await assert.rejects(files.makeFifo(`${folder}/missing/pipe`, 0o600), { code: "file/enoent" });
    },
    "getAttribute() of a file without it is undefined": async (subject) => {
      const folder = await subject.makeFolder();
      assert.equal(subject.linux.files.getAttribute(folder, "user.none"), undefined);
      assert.throws(() => subject.linux.files.getAttribute(`${folder}/missing`, "user.none"), { code: "file/enoent" });
    },
  },
};
