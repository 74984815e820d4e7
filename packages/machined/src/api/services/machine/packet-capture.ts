import { OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { BpfInstruction, Linux, PacketCaptureOptions } from "@talos-ts/linux";
import type { BPFInstruction as WireInstruction } from "@talos-ts/proto/machine/network";
import { pcapHeader, pcapLinkTypes, pcapRecords } from "../../support/pcap/pcap-file.ts";
import type { MachineMethod } from "./method.ts";

/** Bytes kept of each frame unless the caller says otherwise, as upstream's default frame size. */
const defaultSnapLength = 4096;
/** Largest frame of any link. */
const maxSnapLength = 262_144;
/** Instructions of a program that the kernel takes (BPF_MAXINSNS). */
const maxInstructions = 4096;

/** Link types of the file by hardware type (ARPHRD_*). */
const linkTypes: Readonly<Record<number, number>> = {
  1: pcapLinkTypes.ethernet,
  772: pcapLinkTypes.ethernet,
  65_534: pcapLinkTypes.raw,
};

/** Streams a pcap file until the caller goes. */
export const packetCapture = (machine: {
  readonly linux: Linux;
  readonly logger: Logger;
}): MachineMethod<"packetCapture"> =>
  async function* (request, { signal }) {
    const { here } = machine.linux.networks;
    const link = await here.link(request.interface);
    if (link === undefined) {
      throw new OsError({
        kind: "not-found",
        code: "pcap/no-interface",
        message: `interface ${JSON.stringify(request.interface)} not found`,
        next: "talosctl get links",
      });
    }
    const linkType = linkTypes[link.type];
    if (linkType === undefined)
      throw refused(`unsupported link type ${String(link.type)} of interface ${JSON.stringify(request.interface)}`);
    const snapLength = Math.min(request.snapLen === 0 ? defaultSnapLength : request.snapLen, maxSnapLength);
    const options: PacketCaptureOptions = {
      linkIndex: link.index,
      snapLength,
      promiscuous: request.promiscuous,
      filter: readProgram(request.bpfFilter),
    };
    using capture = await here.openCapture(options);
    const stop = (): void => capture[Symbol.dispose]();
    signal.addEventListener("abort", stop, { once: true });
    let frames = 0;
    try {
      yield { bytes: pcapHeader(snapLength, linkType) };
      for await (const batch of capture.batches) {
        frames += batch.length;
        yield { bytes: pcapRecords(batch) };
      }
    } finally {
      signal.removeEventListener("abort", stop);
      machine.logger.info("packet capture ended", { interface: request.interface, frames });
    }
  };

/** @throws invalid argument for numbers that an instruction cannot hold */
function readProgram(program: readonly WireInstruction[]): readonly BpfInstruction[] {
  if (program.length > maxInstructions)
    throw refused(
      `BPF filter has ${String(program.length)} instructions, at most ${String(maxInstructions)} are allowed`,
    );
  for (const [index, { op, jt, jf }] of program.entries()) {
    if (op > 0xffff || jt > 0xff || jf > 0xff)
      throw refused(
        `instruction ${String(index)} of the BPF filter is out of range: op ${String(op)}, jumps ${String(jt)} and ${String(jf)}`,
      );
  }
  return program.map(({ op, jt, jf, k }) => ({ op, jt, jf, k }));
}

const refused = (message: string): OsError =>
  new OsError({ kind: "invalid-argument", code: "pcap/bad-request", message, next: "talosctl pcap --help" });
