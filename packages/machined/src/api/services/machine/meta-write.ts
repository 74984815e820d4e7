import type { MetaStore } from "../../../meta-store.ts";
import type { Platform } from "../../../platform.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { requireMetaKey } from "../../support/meta-key.ts";
import type { MachineMethod } from "./method.ts";

/** Answers once the value is on the disk; a machine that is not installed keeps it until it is. */
export function metaWrite(machine: {
  readonly platform: Platform;
  readonly meta: MetaStore;
}): MachineMethod<"metaWrite"> {
  return async ({ key, value }, { signal }) => {
    requireOwnHardware(machine);
    requireMetaKey(key);
    await machine.meta.write(key, Buffer.from(value), signal);
    return { messages: [{}] };
  };
}
