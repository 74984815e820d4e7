import { open } from "node:fs/promises";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition, Invocation } from "../command.ts";
import { parseDuration } from "../output/go-duration.ts";
import { parseBpfProgram } from "../packets/bpf-program.ts";
import { describePacket } from "../packets/describe-packet.ts";
import { createPcapReader } from "../packets/pcap-reader.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description:
    "Captures packets on a link of the node. They are described line by line, or written as a pcap file. " +
    "A filter is a program that tcpdump compiled: -y EN10MB for ethernet links, -y RAW for tunnels. " +
    "The packets travel over the API too: filter out port 50000.",
  options: [
    { flags: "-i, --interface <name>", description: "link to capture packets on", default: "eth0" },
    { flags: "--promiscuous", description: "put the link into promiscuous mode" },
    {
      flags: "-o, --output <file>",
      description: "write a pcap file; '-' is the standard output (default: describe packets)",
    },
    { flags: "--bpf-filter <program>", description: "compiled BPF program, as tcpdump -dd prints it" },
    { flags: "--duration <span>", description: "time to capture for, as in 30s (default: until Ctrl-C)" },
  ],
  examples: [
    "talosctl pcap -i eth0 --duration 10s",
    "talosctl pcap -i eth0 --output eth0.pcap",
    "talosctl pcap -i eth0 -o - | tcpdump -vvv -r -",
    `talosctl pcap -i eth0 --bpf-filter "$(tcpdump -dd -y EN10MB 'tcp and dst port 80')"`,
  ],
  async run(invocation) {
    const request = {
      interface: textOption(invocation, "interface") ?? "eth0",
      promiscuous: flag(invocation, "promiscuous"),
      bpfFilter: [...parseBpfProgram(textOption(invocation, "bpfFilter") ?? "")],
    };
    const durationMs = parseDuration(textOption(invocation, "duration") ?? "0");
    const over = new AbortController();
    const signal = AbortSignal.any([invocation.signal, over.signal]);
    await using session = await openSession(invocation);
    checkOneNode(session, "pcap");
    const stream = session.all(MachineService).packetCapture(request, { signal });
    const sink = await openSink(invocation);
    let timer: NodeJS.Timeout | undefined;
    try {
      await readStream(session, stream, signal, ({ bytes }) => {
        // The header of the file comes when the capture has begun: time to connect is not part of it.
        if (durationMs > 0) timer ??= setTimeout(() => over.abort(), durationMs);
        return sink.write(bytes);
      });
    } finally {
      clearTimeout(timer);
      await sink.end();
    }
  },
};

interface Sink {
  /** Waits until the reader keeps up. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

async function openSink(invocation: Invocation): Promise<Sink> {
  const { io, signal } = invocation;
  const path = textOption(invocation, "output");
  if (path === undefined || path === "-") {
    const reader = createPcapReader();
    return {
      async write(bytes) {
        if (path === "-") io.out(bytes);
        else for (const packet of reader.add(bytes)) io.out(`${describePacket(packet)}\n`);
        await io.drained?.(signal);
      },
      end: async () => undefined,
    };
  }
  const file = await open(path, "w", 0o600);
  return { write: (bytes) => file.writeFile(bytes), end: () => file.close() };
}
