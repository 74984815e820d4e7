import type { BootstrapManifestsConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { isIPv6 } from "@talos-ts/base/net";
import { fromField, onLinux, tolerateEverything } from "./node-affinity.ts";
import {
  clusterRole,
  clusterRoleBinding,
  serviceAccount,
  serviceAccountSubject,
  systemNamespace,
  type Rule,
} from "./rbac.ts";

type Spec = Pick<
  BootstrapManifestsConfigSpec,
  | "podCIDRs"
  | "flannelImage"
  | "flannelExtraArgs"
  | "flannelKubeServiceHost"
  | "flannelKubeServicePort"
  | "flannelKubeNetworkPoliciesEnabled"
  | "flannelKubeNetworkPoliciesImage"
>;

const name = "flannel";
const appLabel = { "k8s-app": name };
const labels = { ...appLabel, tier: "node" };
const configName = "kube-flannel-cfg";
const vxlanPort = 4789;
/** Both address families share one VXLAN device each; the default number is taken by the first. */
const dualStackNetworkId = 4096;

/** The pod network: one VXLAN between all nodes. */
export function flannel(spec: Spec): readonly object[] {
  return [
    clusterRole({ labels: appLabel, name }, rules(spec.flannelKubeNetworkPoliciesEnabled)),
    clusterRoleBinding({ labels: appLabel, name }, name, [serviceAccountSubject(name)]),
    serviceAccount(name, { labels: appLabel }),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { labels, name: configName, namespace: systemNamespace },
      data: { "cni-conf.json": json(cniConfig), "net-conf.json": json(netConfig(spec.podCIDRs)) },
    },
    daemonSet(spec),
  ];
}

function rules(networkPolicies: boolean): readonly Rule[] {
  const own: readonly Rule[] = [
    { apiGroups: [""], resources: ["pods", "nodes", "namespaces"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch"] },
  ];
  if (!networkPolicies) return own;
  const policies: readonly Rule[] = [
    { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["list", "watch"] },
    {
      apiGroups: ["policy.networking.k8s.io"],
      resources: ["adminnetworkpolicies", "baselineadminnetworkpolicies"],
      verbs: ["list", "watch"],
    },
  ];
  return [...own, ...policies];
}

const cniConfig = {
  name: "cbr0",
  cniVersion: "1.0.0",
  plugins: [
    { type: "flannel", delegate: { hairpinMode: true, isDefaultGateway: true } },
    { type: "portmap", capabilities: { portMappings: true } },
  ],
};

function netConfig(podCIDRs: readonly string[]): object {
  const v4 = podCIDRs.find((cidr) => !isIPv6(cidr));
  const v6 = podCIDRs.find((cidr) => isIPv6(cidr));
  return {
    ...(v4 !== undefined && { Network: v4 }),
    ...(v6 !== undefined && { IPv6Network: v6, EnableIPv6: true }),
    ...(v4 === undefined && { EnableIPv4: false }),
    EnableNFTables: true,
    Backend: {
      Type: "vxlan",
      Port: vxlanPort,
      ...(v4 !== undefined && v6 !== undefined && { VNI: dualStackNetworkId }),
    },
  };
}

function daemonSet(spec: Spec): object {
  const { flannelImage: image, flannelKubeServiceHost: host, flannelKubeServicePort: port } = spec;
  const apiServer =
    host === ""
      ? []
      : [
          { name: "KUBERNETES_SERVICE_HOST", value: host },
          { name: "KUBERNETES_SERVICE_PORT", value: port },
        ];
  const config = { name: "flannel-cfg", mountPath: "/etc/kube-flannel/" };
  const daemon = {
    name: "kube-flannel",
    image,
    command: ["/opt/bin/flanneld"],
    args: ["--ip-masq", "--kube-subnet-mgr", ...spec.flannelExtraArgs],
    env: [
      fromField("POD_NAME", "metadata.name"),
      fromField("POD_NAMESPACE", "metadata.namespace"),
      { name: "EVENT_QUEUE_DEPTH", value: "5000" },
      { name: "CONT_WHEN_CACHE_NOT_READY", value: "false" },
      ...apiServer,
    ],
    resources: { requests: { cpu: "100m", memory: "50Mi" } },
    securityContext: { privileged: false, capabilities: { add: ["NET_ADMIN", "NET_RAW"] } },
    volumeMounts: [{ name: "run", mountPath: "/run/flannel" }, config],
  };
  // The plugin itself is a part of the node.
  const installConfig = {
    name: "install-config",
    image,
    command: ["cp"],
    args: ["-f", "/etc/kube-flannel/cni-conf.json", "/etc/cni/net.d/10-flannel.conflist"],
    volumeMounts: [{ name: "cni", mountPath: "/etc/cni/net.d" }, config],
  };
  const policies = spec.flannelKubeNetworkPoliciesEnabled ? [networkPolicies(spec)] : [];
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { labels, name: "kube-flannel", namespace: systemNamespace },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          affinity: { nodeAffinity: onLinux },
          hostNetwork: true,
          priorityClassName: "system-node-critical",
          serviceAccountName: name,
          tolerations: tolerateEverything,
          initContainers: [installConfig],
          containers: [daemon, ...policies],
          volumes: [
            { name: "run", hostPath: { path: "/run/flannel" } },
            { name: "cni", hostPath: { path: "/etc/cni/net.d" } },
            { name: "flannel-cfg", configMap: { name: configName } },
            ...(policies.length > 0 ? [{ name: "lib-modules", hostPath: { path: "/usr/lib/modules" } }] : []),
          ],
        },
      },
    },
  };
}

/** Enforces NetworkPolicy objects, which flannel itself does not. */
function networkPolicies({ flannelKubeNetworkPoliciesImage: image }: Spec): object {
  return {
    name: "kube-network-policies",
    image,
    command: ["/bin/netpol", "--hostname-override=$(MY_NODE_NAME)", "--v=2"],
    env: [fromField("MY_NODE_NAME", "spec.nodeName")],
    resources: { requests: { cpu: "100m", memory: "50Mi" } },
    securityContext: { privileged: true, capabilities: { add: ["NET_ADMIN"] } },
    volumeMounts: [{ name: "lib-modules", mountPath: "/lib/modules", readOnly: true }],
  };
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
