import { create } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, type Any } from "@bufbuild/protobuf/wkt";
import type { OsError } from "@talos-ts/base";
import { ErrorInfoSchema, type ErrorInfo } from "@talos-ts/proto/google/rpc/error_details";

/** Marks details of ours among those of other systems. */
const domain = "talos-ts";

/**
 * Packs what an error knows beside its text into a detail of the status: the stable code and the command to run next. Clients that do not know
 * it pass over it.
 */
export function packErrorInfo(error: OsError): Any | undefined {
  if (error.next === undefined && !error.code.includes("/")) return undefined;
  const metadata: Record<string, string> = error.next === undefined ? {} : { next: error.next };
  return anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: error.code, domain, metadata }));
}

/** The code and the next command that came with a status. */
export function readErrorInfo(details: readonly Any[]): { readonly code?: string; readonly next?: string } {
  for (const detail of details) {
    const info = unpack(detail);
    if (info?.domain !== domain) continue;
    const next = info.metadata["next"];
    return { code: info.reason, ...(next !== undefined && { next }) };
  }
  return {};
}

function unpack(detail: Any): ErrorInfo | undefined {
  try {
    return anyUnpack(detail, ErrorInfoSchema);
  } catch {
    // A detail that cannot be read tells nothing; the status itself is intact.
    return undefined;
  }
}
