import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import type { KubernetesAccess } from "@talos-ts/kubernetes";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { MachineStatusEventSchema } from "@talos-ts/proto/machine/event";
import { stringify } from "yaml";
import { answersOf, startFakeNode, type FakeNode, type FakeNodeOptions } from "./fake-node.ts";
import { tarGz } from "./tar.ts";

function event<D extends DescMessage>(
  schema: D,
  init: MessageInitShape<D>,
): { data: { typeUrl: string; value: Uint8Array } } {
  const { typeUrl, value } = anyPack(schema, create(schema, init));
  return { data: { typeUrl, value } };
}

/** Writes the kubeconfig of an administrator. */
export function kubeconfigFor({ server, ca = "", cert = "", key = "" }: KubernetesAccess): string {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return stringify({
    "current-context": "a",
    contexts: [{ name: "a", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": base64(ca) } }],
    users: [{ name: "u", user: { "client-certificate-data": base64(cert), "client-key-data": base64(key) } }],
  });
}

/** A node that reboots at once, and whose kernel logs a line each time it is asked; its name in Kubernetes is `worker-1`. */
export async function startRebootingNode(kubeconfig = "", options: FakeNodeOptions = {}): Promise<FakeNode> {
  let streams = 0;
  const node = await startFakeNode({
    ...options,
    types: [Nodename],
    machine: {
      reboot: (_request, context) => ({ messages: answersOf(context, () => ({ actorId: "actor" })) }),
      async *events() {
        streams += 1;
        yield { id: "cid0", data: {} };
        if (streams % 2 === 1) throw new OsError({ kind: "unavailable", message: "gone" });
        yield event(MachineStatusEventSchema, { stage: 4, status: { ready: true } });
      },
      async *dmesg() {
        yield { bytes: Buffer.from("kern: info: [now]: hello\n") };
      },
      async *kubeconfig() {
        yield { bytes: tarGz([{ name: "kubeconfig", content: kubeconfig }]) };
      },
      ...options.machine,
    },
  });
  await node.state.create(createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "worker-1" })));
  return node;
}
