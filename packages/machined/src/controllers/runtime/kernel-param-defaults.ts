import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { apidPort, trustdPort } from "@talos-ts/machinery/constants";
import { KernelParamDefaultSpec } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";

/** Parameters of the network, which every node has for itself, also in a container. */
const network: Readonly<Record<string, string>> = {
  "proc.sys.net.ipv4.ip_forward": "1",
  "proc.sys.net.ipv4.icmp_ignore_bogus_error_responses": "1",
  "proc.sys.net.ipv4.icmp_echo_ignore_broadcasts": "1",
  // No outgoing connection may sit on the ports of the API.
  "proc.sys.net.ipv4.ip_local_reserved_ports": `${String(apidPort)},${String(trustdPort)}`,
  "proc.sys.net.ipv6.conf.default.forwarding": "1",
  "proc.sys.net.ipv6.conf.default.accept_ra": "2",
  "proc.sys.net.ipv4.tcp_keepalive_time": "600",
  "proc.sys.net.ipv4.tcp_keepalive_intvl": "60",
};

/** Parameters of the kernel as a whole, which belong to the host when the node is a container. */
const kernel: Readonly<Record<string, string>> = {
  "proc.sys.net.bridge.bridge-nf-call-iptables": "1",
  "proc.sys.net.bridge.bridge-nf-call-ip6tables": "1",
  "proc.sys.kernel.ctrl-alt-del": "0",
  "proc.sys.kernel.panic": "10",
  "proc.sys.kernel.pid_max": "262144",
  "proc.sys.vm.overcommit_memory": "1",
  "proc.sys.fs.inotify.max_user_instances": "8192",
  "proc.sys.fs.aio-max-nr": "1048576",
};

/** Kernel parameters a node wants unless somebody says otherwise. */
export function kernelParamDefaultsController({ platform }: { readonly platform: Platform }): Controller {
  return reduceController({
    name: "runtime.KernelParamDefaultsController",
    inputs: [],
    outputs: [shared(KernelParamDefaultSpec)],
    reduce: () =>
      Object.entries(platform.mode === "container" ? network : { ...network, ...kernel }).map(([id, value]) =>
        createResource(KernelParamDefaultSpec, id, KernelParamDefaultSpec.spec({ value, ignoreErrors: true })),
      ),
  });
}
