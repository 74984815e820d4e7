import { describeError, type Clock } from "@talos-ts/base";
import { weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import type { KernelLogRecord, Linux, Severity } from "@talos-ts/linux";
import { KmsgLogConfig } from "@talos-ts/machinery/resources/runtime";
import type { LogEvent, LogLevel } from "../../logs/delivery/log-event.ts";
import { startDelivery } from "../../logs/delivery/run-delivery.ts";
import { facilityName } from "../../logs/syslog-facilities.ts";
import { createReceiverSet } from "./internal/receiver-set.ts";

const levels: Readonly<Record<Severity, LogLevel>> = {
  emerg: "error",
  alert: "error",
  crit: "error",
  err: "error",
  warning: "warn",
  notice: "info",
  info: "info",
  debug: "debug",
};

interface Machine {
  readonly linux: Linux;
  readonly clock: Clock;
}

/** Sends the messages of the kernel to the receivers of `KmsgLogConfig`. */
export function kmsgLogDeliveryController(machine: Machine): Controller {
  return {
    name: "runtime.KmsgLogDeliveryController",
    inputs: [weak(KmsgLogConfig)],
    outputs: [],
    async run(context) {
      using receivers = createReceiverSet<string>(context.signal);
      for await (const _event of context.events) {
        const { destinations = [] } = (await context.find(KmsgLogConfig, KmsgLogConfig.id))?.spec ?? {};
        const wanted = new Map(destinations.map((receiver) => [receiver, receiver]));
        receivers.set(wanted, (receiver, signal) => deliver(machine, context, receiver, signal));
        context.resetRestartBackoff();
      }
    },
  };
}

function deliver({ linux, clock }: Machine, context: ControllerContext, receiver: string, signal: AbortSignal): void {
  const { logger } = context;
  const delivery = startDelivery({ receiver, clock, logger, signal });
  async function follow(): Promise<void> {
    const { uptimeSeconds } = await linux.procfs.uptime();
    const bootMs = clock.now() - uptimeSeconds * 1000;
    for await (const record of linux.kernelLog.read({ follow: true, signal })) delivery.push(toEvent(record, bootMs));
  }
  follow().catch((err: unknown) => logger.error("cannot read the kernel log", { receiver, error: describeError(err) }));
}

function toEvent(
  { severity, facility, sequence, timestampMicroseconds, text }: KernelLogRecord,
  bootMs: number,
): LogEvent {
  const clock = Number(timestampMicroseconds);
  return {
    message: text,
    atMs: bootMs + clock / 1000,
    level: levels[severity],
    fields: { facility: facilityName(facility), seq: Number(sequence), clock, priority: severity },
  };
}
