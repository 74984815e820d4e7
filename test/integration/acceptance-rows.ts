/** A claim about a live cluster that one command shows. */
export interface AcceptanceRow {
  /** Rows of docs/acceptance.md. */
  readonly rows: string;
  readonly claim: string;
  /** @default the control plane */
  readonly on?: "worker";
  /** Words in angle brackets are filled in: `<ip>` and `<node>` of the control plane, and `<worker-ip>`. */
  readonly talosctl?: readonly string[];
  readonly kubectl?: readonly string[];
  /** The command ends with an error, which is compared then. */
  readonly fails?: true;
  /** Every one has to be found. */
  readonly form: readonly RegExp[];
  /** None may be found. */
  readonly not?: readonly RegExp[];
}

const get = (...words: readonly string[]): readonly string[] => ["get", ...words];
const yaml = (...words: readonly string[]): readonly string[] => ["get", ...words, "-o", "yaml"];
const raw = (object: string, path: string): readonly string[] => [
  "get",
  ...object.split(" "),
  "-n",
  "kube-system",
  "-o",
  `jsonpath=${path}`,
];
const listens = (port: number, program: string): RegExp =>
  new RegExp(`:${String(port)} +\\S+ +LISTEN +\\d+/${program}`);

/** What a node is made of: addresses, ports, services, and what it keeps to itself. */
const machineRows: readonly AcceptanceRow[] = [
  {
    rows: "T-01",
    claim: "discovery and KubePrism are on by default",
    talosctl: yaml("discoveryconfig"),
    form: [/discoveryEnabled: true/, /registryServiceEnabled: true/],
  },
  {
    rows: "T-01",
    claim: "KubePrism listens on its port for the API servers",
    talosctl: get("kubeprismconfig"),
    form: [/127\.0\.0\.1 +7445 +\[\{"host":"[\d.]+","port":6443\}/],
  },
  {
    rows: "T-03, T-05, T-40, T-76, C-11",
    claim: "the daemons, etcd and the API server listen on their ports",
    talosctl: ["netstat", "-l", "-t", "-p"],
    form: [
      listens(50000, "apid"),
      listens(50001, "trustd"),
      listens(2379, "etcd"),
      listens(2380, "etcd"),
      listens(6443, "kube-apiserver"),
      listens(7445, "machined"),
      listens(10250, "kubelet"),
    ],
  },
  {
    rows: "T-11, T-12",
    claim: "addresses of pods and services are kept apart from those of the machine",
    talosctl: yaml("nodeaddressfilter", "no-k8s"),
    form: [/10\.244\.0\.0\/16/, /10\.96\.0\.0\/12/],
  },
  {
    rows: "T-10, T-18",
    claim: "the API certificate has the addresses of the machine and none of pods",
    talosctl: yaml("certsan", "api"),
    form: [/^ +- <ip>$/m, /^ +- 127\.0\.0\.1$/m],
    not: [/10\.244\./],
  },
  {
    rows: "T-19, C-01",
    claim: "boots in sequences, and leaves the sizes of the host alone",
    talosctl: ["logs", "machined"],
    form: [/initialize sequence: 2 phase\(s\)[^]*boot sequence: done/, /skipping memory size check in the container/],
  },
  {
    rows: "T-25, T-42",
    claim: "control planes are endpoints as soon as they are members",
    talosctl: get("endpoints"),
    form: [/discovery +\d+ +\["<ip>"\]/, /kube-apiserver +\d+ +\["<ip>"\]/],
  },
  {
    rows: "C-02, C-06, T-45",
    claim: "runs the services of a control plane",
    talosctl: ["services"],
    form: ["apid", "containerd", "cri", "etcd", "kubelet", "machined", "trustd"].map(
      (id) => new RegExp(` ${id} +Running +OK `),
    ),
  },
  {
    rows: "T-31, T-45, C-23",
    claim: "a worker runs the kubelet, and neither etcd nor trustd",
    on: "worker",
    talosctl: ["services"],
    form: [/ kubelet +Running +OK /],
    not: [/ etcd /, / trustd /],
  },
  {
    rows: "T-31",
    claim: "a worker says that etcd is only on control planes",
    on: "worker",
    talosctl: ["etcd", "members"],
    fails: true,
    form: [/member list is only available on control plane nodes/],
  },
  {
    rows: "T-74",
    claim: "a worker says that kubeconfigs are only issued on control planes",
    on: "worker",
    talosctl: ["kubeconfig", "-"],
    fails: true,
    form: [/kubeconfig is only available on control plane nodes/],
  },
  {
    rows: "C-03",
    claim: "machined's socket is for its own daemons",
    talosctl: ["list", "-l", "/run/machined"],
    form: [/^\S+ +Srw-rw---- +\d+ +50 .* machined\.sock$/m],
  },
  {
    rows: "C-09",
    claim: "apid is a user of its own without capabilities, on a root that it cannot write",
    talosctl: ["read", "/system/run/containerd/io.containerd.runtime.v2.task/system/apid/config.json"],
    form: [/"user":\{"uid":50,"gid":50\}/, /"bounding":\[\]/, /"readonly":true/, /"noNewPrivileges":true/],
  },
  {
    rows: "C-13",
    claim: "trustd is a user of its own without capabilities, on a root that it cannot write",
    talosctl: ["read", "/system/run/containerd/io.containerd.runtime.v2.task/system/trustd/config.json"],
    form: [/"user":\{"uid":51,"gid":51\}/, /"bounding":\[\]/, /"readonly":true/],
  },
  {
    rows: "C-16, C-18",
    claim: "there are two containerds, with sockets of their own",
    talosctl: ["processes"],
    form: [
      /\/bin\/containerd --address \/system\/run\/containerd\/containerd\.sock --state \/system\/run\/containerd --root \/system\/var\/lib\/containerd/,
      /\/bin\/containerd --address \/run\/containerd\/containerd\.sock --config /,
    ],
  },
  {
    rows: "C-17",
    claim: "daemons run in the system containerd",
    talosctl: ["containers"],
    form: [/ system +apid /, / system +trustd /],
  },
  {
    rows: "C-30",
    claim: "registryd serves the image cache, which stands before every registry",
    talosctl: get("imagecacheconfig"),
    form: [/ ready /],
  },
  {
    rows: "T-80, T-81",
    claim: "the log of controllers is one log of the machine",
    talosctl: ["logs", "controller-runtime"],
    form: [/controller starting\t\{"component": "controller-runtime", "controller": "k8s\./],
  },
  {
    rows: "SecurityState",
    claim: "the state of security features is a resource",
    talosctl: get("securitystate"),
    form: [/ SecurityState +securitystate +\d+ +false\b/],
  },
  {
    rows: "MachineStatus",
    claim: "the machine is ready, and waits for nothing",
    talosctl: yaml("machinestatus"),
    form: [/stage: running\n +status:\n +ready: true\n +unmetConditions: \[\]/],
  },
];

/** What Kubernetes shows of the machine, and the other way round. */
const kubernetesRows: readonly AcceptanceRow[] = [
  {
    rows: "T-41",
    claim: "etcd is healthy as long as it answers with a quorum",
    talosctl: ["etcd", "status"],
    form: [/^<ip> +[0-9a-f]{16} +.* false +3\.\d+\.\d+ /m],
  },
  {
    rows: "T-49",
    claim: "the kubelet's log is a service's, also among the containers of Kubernetes",
    talosctl: ["logs", "-k", "kubelet"],
    form: [/"msg":"Kubelet version"/],
  },
  {
    rows: "T-54, T-56",
    claim: "the kubelet has the name and the address that the machine chose",
    on: "worker",
    talosctl: yaml("kubeletspec"),
    form: [/--node-ip=<worker-ip>$/m, /--hostname-override=\S+-worker-1$/m, /expectedNodename: \S+-worker-1/],
    not: [/--cloud-provider/],
  },
  {
    rows: "T-55",
    claim: "nodes have no external address, which only a cloud provider gives",
    kubectl: ["get", "nodes", "-o", "jsonpath={.items[*].status.addresses[*].type}"],
    form: [/InternalIP/, /Hostname/],
    not: [/ExternalIP/],
  },
  {
    rows: "T-51",
    claim: "a machine knows how Kubernetes sees it",
    on: "worker",
    talosctl: get("nodestatus"),
    form: [/ NodeStatus +\S+-worker-1 +\d+ +true +false/],
  },
  {
    rows: "T-62, T-68",
    claim: "the control plane's pods are ready, and the machine knows it from the kubelet",
    talosctl: get("staticpodstatus"),
    form: ["apiserver", "controller-manager", "scheduler"].map(
      (part) => new RegExp(` kube-system/kube-${part}-<node> +\\d+ +True`),
    ),
  },
  {
    rows: "T-69",
    claim: "a container that is not there is named",
    talosctl: ["logs", "-k", "none/none:none"],
    fails: true,
    form: [/container "none\/none:none" not found/],
  },
  {
    rows: "T-68",
    claim: "containers of Kubernetes have memory and processor time",
    talosctl: ["stats", "-k"],
    form: [/^NODE +NAMESPACE +ID +MEMORY\(MB\) +CPU$/m, /└─ kube-system\/kube-apiserver-\S+ +[1-9]\d+\.\d\d +\d{6,}$/m],
  },
  {
    rows: "T-68",
    claim: "sockets of pods are shown with their pods",
    talosctl: ["--nodes", "<worker-ip>", "netstat", "-k", "-a"],
    form: [/:9153 +\S+ +LISTEN +kube-system\/coredns-\S+$/m],
  },
  {
    rows: "T-71",
    claim: "nodes get their rights from a manifest",
    talosctl: get("manifests"),
    form: [/ 11-talos-node-rbac-template +\d+$/m],
  },
  {
    rows: "T-73",
    claim: "manifests are applied by the machine, and listed in an inventory",
    kubectl: raw("configmap talos-bootstrap-manifests-inventory", "{.data}"),
    form: [/system-bootstrap-approve-node-client-csr_rbac\.authorization\.k8s\.io_ClusterRoleBinding/],
  },
  {
    rows: "T-73",
    claim: "what is created is logged",
    talosctl: ["dmesg"],
    form: [/\[talos\] created \/v1\/Secret\/bootstrap-token-\w+ \{.*"k8s\.ManifestApplyController"\}/],
  },
  {
    rows: "T-77",
    claim: "the API server refuses who has no certificate of its authority",
    kubectl: [
      "--kubeconfig=/dev/null",
      "--server=https://<ip>:6443",
      "--insecure-skip-tls-verify",
      "--token=none",
      "get",
      "nodes",
    ],
    fails: true,
    form: [/Unauthorized/],
  },
  {
    rows: "T-78",
    claim: "the API server has the network of the machine",
    kubectl: raw("pod kube-apiserver-<node>", "{.spec.hostNetwork}"),
    form: [/^true$/],
  },
];

/** Claims that one command on a live cluster shows; none changes anything. */
export const acceptanceRows: readonly AcceptanceRow[] = [...machineRows, ...kubernetesRows];
