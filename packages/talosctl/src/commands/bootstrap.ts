import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { humanBytes } from "../output/humanize.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description:
    "Starts etcd for the first time, on one control plane machine; the others join it. Must be done once in the life of a cluster.",
  options: [
    { flags: "--recover-from <snapshot>", description: "begin with the contents of this etcd snapshot" },
    {
      flags: "--recover-skip-hash-check",
      description: "the snapshot is a copy of a data folder, which has no checksum",
    },
  ],
  examples: ["talosctl bootstrap --nodes 10.5.0.2", "talosctl bootstrap --recover-from ./db.snapshot"],
  async run(invocation) {
    const { io, signal } = invocation;
    await using session = await openSession(invocation);
    checkOneNode(session, "bootstrap");
    const client = session.all(MachineService);
    const snapshot = textOption(invocation, "recoverFrom");
    if (snapshot !== undefined) {
      const { size } = await stat(snapshot);
      io.err(`recovering from snapshot ${JSON.stringify(snapshot)}: total size ${humanBytes(size)}\n`);
      await session.answers("uploading snapshot", client.etcdRecover(chunksOf(snapshot), { signal }));
    }
    const request = {
      recoverEtcd: snapshot !== undefined,
      recoverSkipHashCheck: flag(invocation, "recoverSkipHashCheck"),
    };
    await session.answers("executing bootstrap", client.bootstrap(request, { signal }));
  },
};

async function* chunksOf(path: string): AsyncGenerator<{ bytes: Uint8Array }> {
  for await (const bytes of createReadStream(path)) yield { bytes: bytes as Buffer };
}
