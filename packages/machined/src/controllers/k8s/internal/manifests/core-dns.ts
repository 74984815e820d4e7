import type { BootstrapManifestsConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { onSupported } from "./node-affinity.ts";
import { clusterRole, clusterRoleBinding, serviceAccount, serviceAccountSubject, systemNamespace } from "./rbac.ts";

type Spec = Pick<BootstrapManifestsConfigSpec, "clusterDomain" | "coreDNSImage" | "dnsServiceIP" | "dnsServiceIPv6">;

const name = "coredns";
const role = "system:coredns";
/** Label by which everything finds cluster DNS; its value is older than CoreDNS. */
const selector = { "k8s-app": "kube-dns" };
const displayName = { "kubernetes.io/name": "CoreDNS" };
const defaultsLabel = { "kubernetes.io/bootstrapping": "rbac-defaults" };

/** Cluster DNS: two replicas, preferably on different nodes. Names outside the cluster are asked of the node's resolver. */
export function coreDns(spec: Spec): readonly object[] {
  return [
    serviceAccount(name),
    clusterRole({ labels: defaultsLabel, name: role }, [
      { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: ["list", "watch"] },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
    ]),
    clusterRoleBinding(
      {
        annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
        labels: defaultsLabel,
        name: role,
      },
      role,
      [serviceAccountSubject(name)],
    ),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: systemNamespace },
      data: { Corefile: corefile(spec.clusterDomain) },
    },
    deployment(spec.coreDNSImage),
  ];
}

/** Names of the cluster are not cached, so that a changed service is seen at once. */
function corefile(domain: string): string {
  const cache =
    domain === "" ? ["cache 30"] : ["cache 30 {", `    disable success ${domain}`, `    disable denial ${domain}`, "}"];
  const plugins = [
    "errors",
    "health {",
    "    lameduck 5s",
    "}",
    "ready",
    "log . {",
    "    class error",
    "}",
    "prometheus :9153",
    "",
    `kubernetes ${domain} in-addr.arpa ip6.arpa {`,
    "    pods insecure",
    "    fallthrough in-addr.arpa ip6.arpa",
    "    ttl 30",
    "}",
    "forward . /etc/resolv.conf {",
    "    max_concurrent 1000",
    "}",
    ...cache,
    "loop",
    "reload",
    "loadbalance",
  ];
  return [".:53 {", ...plugins.map((line) => (line === "" ? "" : `    ${line}`)), "}", ""].join("\n");
}

function deployment(image: string): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { labels: { ...selector, ...displayName }, name, namespace: systemNamespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: selector },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels: selector },
        spec: {
          affinity: { nodeAffinity: onSupported, podAntiAffinity: apart },
          containers: [container(image)],
          // The resolver of the node, not the cluster DNS that this is.
          dnsPolicy: "Default",
          nodeSelector: { "kubernetes.io/os": "linux" },
          priorityClassName: "system-cluster-critical",
          serviceAccountName: name,
          tolerations: [
            { effect: "NoSchedule", key: "node-role.kubernetes.io/control-plane", operator: "Exists" },
            { effect: "NoSchedule", key: "node.cloudprovider.kubernetes.io/uninitialized", operator: "Exists" },
          ],
          volumes: [{ name: "config-volume", configMap: { name, items: [{ key: "Corefile", path: "Corefile" }] } }],
        },
      },
    },
  };
}

const apart = {
  preferredDuringSchedulingIgnoredDuringExecution: [
    {
      weight: 100,
      podAffinityTerm: {
        labelSelector: { matchExpressions: [{ key: "k8s-app", operator: "In", values: ["kube-dns"] }] },
        topologyKey: "kubernetes.io/hostname",
      },
    },
  ],
} as const;

function container(image: string): object {
  return {
    name,
    image,
    imagePullPolicy: "IfNotPresent",
    args: ["-conf", "/etc/coredns/Corefile"],
    // 95 % of the memory limit: the garbage collector works harder before the kernel kills.
    env: [{ name: "GOMEMLIMIT", value: "161MiB" }],
    resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
    ports: [
      { containerPort: 53, name: "dns", protocol: "UDP" },
      { containerPort: 53, name: "dns-tcp", protocol: "TCP" },
      { containerPort: 9153, name: "metrics", protocol: "TCP" },
    ],
    livenessProbe: {
      httpGet: { path: "/health", port: 8080, scheme: "HTTP" },
      initialDelaySeconds: 60,
      timeoutSeconds: 5,
      successThreshold: 1,
      failureThreshold: 5,
    },
    readinessProbe: { httpGet: { path: "/ready", port: 8181, scheme: "HTTP" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: "config-volume", mountPath: "/etc/coredns", readOnly: true }],
  };
}

/** The Service of cluster DNS, on the tenth address of each service network. */
export function coreDnsService({ dnsServiceIP, dnsServiceIPv6 }: Spec): object {
  const families = [
    { family: "IPv4", address: dnsServiceIP },
    { family: "IPv6", address: dnsServiceIPv6 },
  ].filter(({ address }) => address !== "");
  const clusterIPs = families.map(({ address }) => address);
  const ports = [
    { name: "dns", port: 53, protocol: "UDP", targetPort: 53 },
    { name: "dns-tcp", port: 53, protocol: "TCP", targetPort: 53 },
    { name: "metrics", port: 9153, protocol: "TCP", targetPort: 9153 },
  ];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      annotations: { "prometheus.io/port": "9153", "prometheus.io/scrape": "true" },
      labels: { ...selector, "kubernetes.io/cluster-service": "true", ...displayName },
      name: "kube-dns",
      namespace: systemNamespace,
    },
    spec: {
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: families.map(({ family }) => family),
      ipFamilyPolicy: families.length > 1 ? "RequireDualStack" : "SingleStack",
      ports,
      selector,
    },
  };
}
