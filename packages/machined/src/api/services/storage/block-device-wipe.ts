import { OsError, type Clock } from "@talos-ts/base";
import { listTyped, type Logger, type State } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { Linux } from "@talos-ts/linux";
import { isComplete } from "@talos-ts/machinery/config";
import { BlockDevice, type BlockDeviceSpec } from "@talos-ts/machinery/resources/block";
import { notAuthorized, roles } from "@talos-ts/machinery/roles";
import {
  BlockDeviceWipeDescriptor_Method as Method,
  type BlockDeviceWipeDescriptor,
  type StorageService,
} from "@talos-ts/proto/storage/storage";
import type { ConfigStore } from "../../../config-store.ts";
import { wipeBlockDevice, type WipeMethod, type WipeTarget } from "../../../disks/wipe-block-device.ts";
import type { Platform } from "../../../platform.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { rolesOf } from "../../access/role-interceptor.ts";
import { requireWipeable } from "../../support/wipe/require-wipeable.ts";

const methods: Readonly<Record<number, WipeMethod>> = { [Method.FAST]: "fast", [Method.ZEROES]: "zeroes" };

/** Devices of a container are the host's. All devices of a request are checked before the first one is wiped. */
export function blockDeviceWipe(machine: {
  readonly platform: Platform;
  readonly linux: Linux;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly state: State;
  readonly config: ConfigStore;
}): NonNullable<ServiceImpl<typeof StorageService>["blockDeviceWipe"]> {
  return async ({ devices }, context) => {
    requireOwnHardware(machine);
    const active = await machine.config.current();
    const inMaintenance = active === undefined || !isComplete(active);
    if (!inMaintenance && !rolesOf(context).has(roles.admin)) throw notAuthorized();
    const targets: WipeTarget[] = [];
    for (const wanted of devices) {
      const device = await requireWipeable(machine.state, wanted.device, wanted);
      targets.push(await targetOf(machine.state, wanted, device));
    }
    for (const target of targets) await wipeBlockDevice(machine, target, context.signal);
    return { messages: [{}] };
  };
}

async function targetOf(state: State, wanted: BlockDeviceWipeDescriptor, device: BlockDeviceSpec): Promise<WipeTarget> {
  const { device: name, method, dropPartition: drop } = wanted;
  const children = (await listTyped(state, BlockDevice)).filter(({ spec }) => spec.parent === name);
  return {
    name,
    method: methods[method] ?? unsupported(method),
    drop,
    partitions: children.map(({ spec }) => spec.partitionNumber),
    ...(device.parent !== "" && { partitionOf: { disk: device.parent, number: device.partitionNumber } }),
  };
}

function unsupported(method: number): never {
  throw new OsError({
    kind: "invalid-argument",
    code: "wipe/method",
    message: `unsupported wipe method ${String(method)}`,
    next: "talosctl wipe disk --help",
  });
}
