import { OsError } from "@talos-ts/base";
import { metaKeyId } from "@talos-ts/machinery/constants";
import type { MetaStore } from "../../../meta-store.ts";
import type { Platform } from "../../../platform.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { requireMetaKey } from "../../support/meta-key.ts";
import type { MachineMethod } from "./method.ts";

export function metaDelete(machine: {
  readonly platform: Platform;
  readonly meta: MetaStore;
}): MachineMethod<"metaDelete"> {
  return async ({ key }, { signal }) => {
    requireOwnHardware(machine);
    requireMetaKey(key);
    if (await machine.meta.delete(key, signal)) return { messages: [{}] };
    throw new OsError({
      kind: "not-found",
      code: "meta/not-found",
      message: "meta key not found",
      next: "talosctl get metakeys",
      details: { key: metaKeyId(key) },
    });
  };
}
