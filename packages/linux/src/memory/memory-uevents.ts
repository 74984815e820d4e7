import type { Uevent, UeventMessage, Uevents } from "../uevents/uevent.ts";
import { createListeners } from "./listeners.ts";

export interface MemoryUevents extends Uevents {
  emit(uevent: Uevent): void;
}

export function createMemoryUevents(): MemoryUevents {
  const watchers = createListeners<UeventMessage>();
  return {
    emit: (uevent) => watchers.emit({ kind: "uevent", uevent }),
    watch: async (options) => watchers.listen(options),
  };
}
