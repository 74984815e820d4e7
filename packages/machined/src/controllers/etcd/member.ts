import { exclusive, kindOf, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { formatMemberId } from "@talos-ts/machinery/etcd";
import { EtcdMember } from "@talos-ts/machinery/resources/etcd";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { localMemberId } from "../../etcd/local-member-id.ts";

export interface EtcdMemberOptions {
  /** Asks the local etcd for its member id. @default over its API */
  readonly memberId?: (signal: AbortSignal) => Promise<bigint>;
}

/** Publishes the member id of the local etcd while it is healthy. */
export function etcdMemberController(
  machine: { readonly root: string },
  { memberId = (signal) => localMemberId(machine, signal) }: EtcdMemberOptions = {},
): Controller {
  return reconcileController({
    name: "etcd.MemberController",
    inputs: [weak(Service, { id: "etcd" })],
    outputs: [exclusive(EtcdMember)],
    cleanup: [kindOf(EtcdMember)],
    async reconcile(context) {
      const service = await context.find(Service, "etcd");
      if (service?.metadata.phase !== "running" || !service.spec.healthy) return;
      const id = formatMemberId(await memberId(context.signal));
      await context.put(EtcdMember, EtcdMember.id, () => EtcdMember.spec({ memberID: id }));
    },
  });
}
