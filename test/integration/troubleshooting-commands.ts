/** A command that a person uses to find out what is wrong with a cluster, and the form of what it prints. */
export interface TroubleshootingCommand {
  /** Question that it answers. */
  readonly question: string;
  readonly program: "talosctl" | "kubectl";
  /** Words in angle brackets are filled in: `<ip>` and `<worker-ip>`, `<node>`, `<pod>` and `<container>` of the API server. */
  readonly words: readonly string[];
  /** Keeps only lines with this text, as `| grep` does. */
  readonly grep?: string;
  /** Object that is made first, to have something to look at. */
  readonly needs?: object;
  /** Every one has to be found. */
  readonly form: readonly RegExp[];
}

const ip = "-n <ip>".split(" ");
const stamp = String.raw`\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\]`;
const address = String.raw`(?:\d+\.){3}\d+`;

const rendered = (id: string): RegExp =>
  new RegExp(
    `^${address}: user: warning: ${stamp}: \\[talos\\] rendered new static pod ` +
      `\\{"component": "controller-runtime", "controller": "k8s\\.StaticPodServerController", "id": "${id}"\\}$`,
    "m",
  );

/** Everything that a healthy cluster is waited for, in this order. */
const checks = [
  "etcd to be healthy",
  "etcd members to be consistent across nodes",
  "etcd members to be control plane nodes",
  "apid to be ready",
  "all nodes memory sizes",
  "all nodes disk sizes",
  "no diagnostics",
  "kubelet to be healthy",
  "all nodes to finish boot sequence",
  "all k8s nodes to report",
  "all control plane static pods to be running",
  "all control plane components to be ready",
  "all k8s nodes to report ready",
  "kube-proxy to report ready",
  "coredns to report ready",
  "all k8s nodes to report schedulable",
];
const inOrder = (names: readonly string[]): string => names.map((name) => `^waiting for ${name}: OK$`).join("[^]*");

/** In the order in which one would look: members, etcd, kubelet and nodes, control plane, Kubernetes API. */
export const troubleshootingCommands: readonly TroubleshootingCommand[] = [
  {
    question: "is the cluster healthy",
    program: "talosctl",
    words: [...ip, "health", "--wait-timeout", "2m"],
    form: [/^discovered nodes: \["[\d.]+" "[\d.]+"\]$/m, new RegExp(inOrder(checks), "m")],
  },
  {
    question: "are these nodes healthy",
    program: "talosctl",
    words: [...ip, "health", "--control-plane-nodes", "<ip>", "--worker-nodes", "<worker-ip>", "--wait-timeout", "2m"],
    form: [/^waiting for coredns to report ready: OK$/m],
  },
  {
    question: "which members there are",
    program: "talosctl",
    words: [...ip, "get", "members"],
    form: [
      /^NODE +NAMESPACE +TYPE +ID +VERSION +HOSTNAME +MACHINE TYPE +OS +ADDRESSES$/m,
      /^\S+ +cluster +Member +\S+controlplane-1 +\d+ +\S+ +controlplane +Talos \(v1\.13\.\d+\) +\["[\d.]+"\]$/m,
      /^\S+ +cluster +Member +\S+worker-1 +\d+ +\S+ +worker +/m,
    ],
  },
  {
    question: "how etcd got where it is",
    program: "talosctl",
    words: [...ip, "service", "etcd"],
    form: [
      /^NODE {5}\S+\nID {7}etcd\nSTATE {4}Running\nHEALTH {3}OK\nEVENTS {3}\[Running\]: Health check successful \(/m,
    ],
  },
  {
    question: "who is a member of etcd",
    program: "talosctl",
    words: [...ip, "etcd", "members"],
    form: [
      /^NODE +ID +HOSTNAME +PEER URLS +CLIENT URLS +LEARNER$/m,
      /^\S+ +[0-9a-f]{16} +\S+ +https:\/\/\S+:2380 +https:\/\/\S+:2379 +false$/m,
    ],
  },
  {
    question: "what etcd writes",
    program: "talosctl",
    words: [...ip, "logs", "etcd"],
    form: [new RegExp(`^${address}: \\{"level":"info","ts":"`, "m")],
  },
  { question: "which alarms etcd has", program: "talosctl", words: [...ip, "etcd", "alarm", "list"], form: [/^$/] },
  {
    question: "which images the system has",
    program: "talosctl",
    words: [...ip, "image", "ls", "--namespace", "system"],
    form: [/^NODE +IMAGE +DIGEST +SIZE/m, /^\S+ +\S+\/kubelet:v\S+ +sha256:[0-9a-f]{64} +\d+ MB/m],
  },
  {
    question: "what the kubelet writes",
    program: "talosctl",
    words: [...ip, "logs", "kubelet"],
    form: [new RegExp(`^${address}: .*"caller":"`, "m")],
  },
  {
    question: "are certificates of kubelets signed",
    program: "kubectl",
    words: ["get", "csr"],
    form: [
      /^NAME +AGE +SIGNERNAME +REQUESTOR +REQUESTEDDURATION +CONDITION$/m,
      /^csr-\S+ +\S+ +kubernetes\.io\/kube-apiserver-client-kubelet +system:bootstrap:\S+ +\S+ +Approved,Issued$/m,
    ],
  },
  {
    question: "do the pods of the network run",
    program: "kubectl",
    words: ["-n", "kube-system", "get", "pods"],
    form: [/^NAME +READY +STATUS +RESTARTS +AGE$/m, /^kube-flannel-\S+ +1\/1 +Running +\d+/m],
  },
  {
    question: "take away a node that is gone",
    program: "kubectl",
    words: ["delete", "node", "gone-for-good"],
    needs: { apiVersion: "v1", kind: "Node", metadata: { name: "gone-for-good" } },
    form: [/^node "gone-for-good" deleted/m],
  },
  {
    question: "are static pods defined",
    program: "talosctl",
    words: [...ip, "get", "staticpods"],
    form: [
      /^NODE +NAMESPACE +TYPE +ID +VERSION$/m,
      ...["apiserver", "controller-manager", "scheduler"].map(
        (part) => new RegExp(`^\\S+ +k8s +StaticPod +kube-${part} +\\d+$`, "m"),
      ),
    ],
  },
  {
    question: "did the kubelet get the static pods",
    program: "talosctl",
    words: [...ip, "dmesg"],
    grep: "rendered new",
    form: ["kube-apiserver", "kube-controller-manager", "kube-scheduler"].map(rendered),
  },
  {
    question: "what controllers do",
    program: "talosctl",
    words: [...ip, "logs", "controller-runtime"],
    form: [
      new RegExp(`^${address}: \\S+Z\\t(?:DEBUG|INFO|WARN|ERROR)\\t.+\\t\\{"component": "controller-runtime"`, "m"),
    ],
  },
  ...["--kubernetes", "-k"].map((flag): TroubleshootingCommand => ({
    question: "which containers Kubernetes runs",
    program: "talosctl",
    words: [...ip, "containers", flag],
    form: [
      /^NODE +NAMESPACE +ID +IMAGE +PID +STATUS$/m,
      /^\S+ +k8s\.io +kube-system\/kube-apiserver-\S+ +registry\.k8s\.io\/pause:\S+ +\d+ +SANDBOX_READY$/m,
      /^\S+ +k8s\.io +└─ kube-system\/kube-apiserver-\S+:kube-apiserver:[0-9a-f]{12} +registry\.k8s\.io\/kube-apiserver:v\S+ +\d+ +CONTAINER_RUNNING$/m,
    ],
  })),
  {
    question: "what the API server writes",
    program: "talosctl",
    words: [...ip, "logs", "-k", "<container>"],
    form: [new RegExp(`^${address}: .*stderr F [IWE]\\d{4} `, "m")],
  },
  {
    question: "which manifests are applied",
    program: "talosctl",
    words: [...ip, "get", "manifests"],
    form: [
      "00-kubelet-bootstrapping-token",
      "01-csr-approver-role-binding",
      "01-csr-node-bootstrap",
      "01-csr-renewal-role-binding",
      "05-flannel",
      "10-kube-proxy",
      "11-core-dns",
      "11-core-dns-svc",
      "11-kube-config-in-cluster",
    ].map((id) => new RegExp(`^\\S+ +controlplane +Manifest +${id} +\\d+$`, "m")),
  },
  {
    question: "what a manifest has",
    program: "talosctl",
    words: [...ip, "get", "manifests", "01-csr-approver-role-binding", "--namespace=controlplane", "-o", "yaml"],
    form: [
      /^node: \S+\nmetadata:\n {4}namespace: controlplane\n {4}type: Manifests\.kubernetes\.talos\.dev\n {4}id: 01-csr-approver-role-binding\n {4}version: \d+\n/m,
      /^spec:\n {4}- apiVersion: rbac\.authorization\.k8s\.io\/v1\n {6}kind: ClusterRoleBinding\n {6}metadata:\n {8}name: system-bootstrap-approve-node-client-csr\n {6}roleRef:\n {8}apiGroup: rbac\.authorization\.k8s\.io\n/m,
      /^ {6}subjects:\n {8}- apiGroup: rbac\.authorization\.k8s\.io\n {10}kind: Group\n {10}name: system:bootstrappers/m,
    ],
  },
  {
    question: "which nodes there are",
    program: "kubectl",
    words: ["get", "nodes", "-o", "wide"],
    form: [
      /^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP +EXTERNAL-IP +OS-IMAGE +KERNEL-VERSION +CONTAINER-RUNTIME$/m,
      /^\S+controlplane-1 +Ready +control-plane +\S+ +v1\.\d+\.\d+ +[\d.]+ +<none> +Talos \(v1\.13\.\d+\) +\S.* +containerd:\/\/\S+$/m,
    ],
  },
  {
    question: "which pods there are",
    program: "kubectl",
    words: ["get", "pods", "-o", "wide", "--all-namespaces"],
    form: [
      /^NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE +IP +NODE/m,
      /^kube-system +kube-apiserver-\S+ +1\/1 +Running /m,
    ],
  },
  {
    question: "why a pod is as it is",
    program: "kubectl",
    words: ["describe", "pod", "-n", "kube-system", "<pod>"],
    form: [/^Status: +Running$/m, /^ {2}Ready +True/m, /^Node: +\S+controlplane-1\//m],
  },
  {
    question: "what a pod writes",
    program: "kubectl",
    words: ["logs", "-n", "kube-system", "<pod>"],
    form: [/^[IWE]\d{4} /m],
  },
  {
    question: "access for administrators",
    program: "talosctl",
    words: [...ip, "kubeconfig", "--merge=false", "-"],
    form: [/^apiVersion: v1$/m, /^kind: Config$/m, /^ +server: https:\/\/\S+:6443$/m],
  },
];
