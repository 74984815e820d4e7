import { OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { createColumns } from "../output/columns.ts";
import { humanBytes } from "../output/humanize.ts";
import { printRecords, recordFormatOption, wantsTable } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";
import { flag, integerOption } from "../values.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "[paths...]", description: "folders to measure (default: /)" }],
  options: [
    { flags: "-a, --all", description: "show files too, not only folders" },
    { flags: "-d, --depth <levels>", description: "how far to go into folders", default: "1" },
    { flags: "-H, --humanize", description: "show sizes for people" },
    {
      flags: "-t, --threshold <bytes>",
      description: "leave out what is smaller, or what is larger than a negative value",
      default: "0",
    },
    recordFormatOption,
  ],
  examples: ["talosctl usage /var --humanize", "talosctl usage /var -o json"],
  async run(invocation) {
    const { args, io, signal } = invocation;
    await using session = await openSession(invocation);
    const stream = session.all(MachineService).diskUsage(
      {
        paths: args.length > 0 ? [...args] : ["/"],
        all: flag(invocation, "all"),
        recursionDepth: (integerOption(invocation, "depth") ?? 0) + 1,
        threshold: BigInt(integerOption(invocation, "threshold") ?? 0),
      },
      { signal },
    );
    const columns = createColumns((text) => io.out(text));
    const records: { readonly node: string; readonly sizeBytes: number; readonly name: string }[] = [];
    let header: readonly string[] | undefined;
    let failed: OsError | undefined;
    await readStream(session, stream, signal, (info, node) => {
      if (info.error !== "") {
        session.warn(`${node}: ${info.error}`);
        failed ??= new OsError({ kind: "unknown", code: "cli/incomplete", message: "some files could not be read" });
        return;
      }
      if (!wantsTable(invocation)) {
        records.push({ node, sizeBytes: Number(info.size), name: info.relativeName });
        return;
      }
      const named = info.metadata !== undefined && info.metadata.hostname !== "";
      if (header === undefined) columns.add((header = [...(named ? ["NODE"] : []), "SIZE", "NAME"]));
      const size = flag(invocation, "humanize") ? humanBytes(info.size) : String(info.size);
      columns.add([...(named ? [node] : []), size, info.relativeName]);
    }).finally(() => columns.flush());
    if (!wantsTable(invocation)) await printRecords(invocation, [], records);
    if (failed !== undefined) throw failed;
  },
};
