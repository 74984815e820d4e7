import type { NetDeviceStat, Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";
import { sumOf } from "../../support/sum-of.ts";

export const networkDeviceStats =
  (machine: { readonly linux: Linux }): MachineMethod<"networkDeviceStats"> =>
  async () => {
    const devices = (await machine.linux.procfs.netDevices()).map(describe);
    return { messages: [{ devices, total: sumOf(devices) }] };
  };

function describe(stat: NetDeviceStat) {
  return {
    name: stat.name,
    rxBytes: stat.receivedBytes,
    rxPackets: stat.receivedPackets,
    rxErrors: stat.receiveErrors,
    rxDropped: stat.receiveDropped,
    rxFifo: stat.receiveFifo,
    rxFrame: stat.receiveFrame,
    rxCompressed: stat.receiveCompressed,
    rxMulticast: stat.receiveMulticast,
    txBytes: stat.sentBytes,
    txPackets: stat.sentPackets,
    txErrors: stat.sendErrors,
    txDropped: stat.sendDropped,
    txFifo: stat.sendFifo,
    txCollisions: stat.sendCollisions,
    txCarrier: stat.sendCarrier,
    txCompressed: stat.sendCompressed,
  };
}
