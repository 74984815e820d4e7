import type { MessageInitShape } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import type { DiskUsageInfoSchema, DiskUsageRequest } from "@talos-ts/proto/machine/file";
import { resolvePath } from "../../support/files/resolve-path.ts";
import { walk, type FoundFile } from "../../support/files/walk.ts";
import type { MachineMethod } from "./method.ts";

type Usage = MessageInitShape<typeof DiskUsageInfoSchema>;

export const diskUsage = (machine: { readonly root: string }): MachineMethod<"diskUsage"> =>
  async function* (request, { signal }) {
    for (const path of request.paths) {
      try {
        yield* usageBelow(machine, path, request, signal);
      } catch (err) {
        // One path that is not there must not hide the others.
        yield { name: path, relativeName: path, error: OsError.from(err).message };
      }
    }
  };

interface OpenFolder {
  readonly file: FoundFile;
  bytes: number;
}

/** Folders after everything that is in them, each with the sum of it. */
async function* usageBelow(
  { root }: { readonly root: string },
  path: string,
  request: DiskUsageRequest,
  signal: AbortSignal,
): AsyncGenerator<Usage> {
  const open: OpenFolder[] = [];

  function* report({ path: name, relative, depth }: FoundFile, bytes: number, isFolder: boolean): Generator<Usage> {
    const parent = open.at(-1);
    if (parent !== undefined) parent.bytes += bytes;
    if (wanted(request, depth, bytes, isFolder)) yield { name, relativeName: relative, size: BigInt(bytes) };
  }
  function* closeTo(depth: number): Generator<Usage> {
    for (let last = open.at(-1); last !== undefined && last.file.depth >= depth; last = open.at(-1)) {
      open.pop();
      yield* report(last.file, last.bytes, true);
    }
  }

  for await (const file of walk(await resolvePath(root, path), { root, signal })) {
    if (file.stats === undefined || file.error !== undefined) {
      yield { name: file.path, relativeName: file.relative, error: file.error?.message ?? "" };
      continue;
    }
    yield* closeTo(file.depth);
    const bytes = apparentSize(file.path, file.stats.size);
    if (file.stats.isDirectory()) open.push({ file, bytes });
    else yield* report(file, bytes, false);
  }
  yield* closeTo(0);
}

function wanted(request: DiskUsageRequest, depth: number, bytes: number, isFolder: boolean): boolean {
  const { recursionDepth, all } = request;
  const threshold = Number(request.threshold);
  if (recursionDepth > 0 && depth >= recursionDepth) return false;
  if (!isFolder && !all) return false;
  if (threshold > 0) return bytes >= threshold;
  return threshold === 0 || bytes <= -threshold;
}

/** The image of all memory claims to be as large as the address space. */
function apparentSize(path: string, bytes: number): number {
  return path === "/proc/kcore" ? 0 : bytes;
}
