import type { Fault } from "../fault.ts";
import { cutOff } from "./cut-off.ts";
import { delayPackets } from "./delay-packets.ts";
import { fillDisk } from "./fill-disk.ts";
import { freezes } from "./freeze.ts";
import { jumpClock } from "./jump-clock.ts";
import { killMachined } from "./kill-machined.ts";
import { losePackets } from "./lose-packets.ts";
import { powerOffLeader } from "./power-off.ts";
import { replaceAll } from "./replace-all.ts";
import { replaceControlPlane } from "./replace-control-plane.ts";
import { restartAll } from "./restart-all.ts";

/** Every fault, in the order of the tables. */
export const faults: readonly Fault[] = [
  powerOffLeader,
  killMachined,
  restartAll,
  replaceControlPlane,
  replaceAll,
  ...cutOff,
  losePackets,
  delayPackets,
  ...freezes,
  fillDisk,
  jumpClock,
];
