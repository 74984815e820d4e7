import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { appendSections, type Section } from "./append-sections.ts";

/** Parts of a unified kernel image. */
export interface UnifiedKernelParts {
  /** systemd-stub: the program that the others are added to. */
  readonly stub: string;
  /** Content of os-release(5), by which a boot loader names the image. */
  readonly osRelease: string;
  /** Arguments of the kernel. */
  readonly arguments: string;
  /** As `uname -r` says it. */
  readonly release: string;
  readonly kernel: string;
  readonly initramfs: string;
}

/**
 * Packs kernel, initramfs and arguments into one program for UEFI, as the UAPI specification "Unified Kernel Image" has it. The same
 * parts give the same bytes.
 */
export async function writeUnifiedKernel(path: string, parts: UnifiedKernelParts): Promise<void> {
  const file = async (from: string) => ({ from, size: (await stat(from)).size });
  const sections: readonly Section[] = [
    { name: ".osrel", content: Buffer.from(parts.osRelease) },
    { name: ".cmdline", content: Buffer.from(parts.arguments) },
    { name: ".uname", content: Buffer.from(parts.release) },
    { name: ".linux", content: await file(parts.kernel), executable: true },
    { name: ".initrd", content: await file(parts.initramfs) },
  ];
  const bytes = appendSections(await readFile(parts.stub), sections);
  await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path));
}
