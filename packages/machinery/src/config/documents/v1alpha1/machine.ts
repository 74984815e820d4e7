import { duration, url } from "../../schema/formats.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { any, field, list, object } from "../../schema/type.ts";
import { certificateAndKey, certificates, labels } from "./common.ts";
import { features } from "./features.ts";
import { machineDisk, machineFile, systemDiskEncryption } from "./files.ts";
import { install } from "./install.ts";
import { kubelet } from "./kubelet.ts";
import { network } from "./network.ts";
import { registries } from "./registries.ts";

const disableable = (name: string, doc: string) =>
  object(name, doc, { disabled: field(boolean, "Whether it is left out on this node.") });

const machineControlPlane = object("v1alpha1.MachineControlPlaneConfig", "Control plane parts on this node.", {
  controllerManager: field(
    disableable("v1alpha1.MachineControllerManagerConfig", "The controller manager."),
    "The controller manager.",
  ),
  scheduler: field(disableable("v1alpha1.MachineSchedulerConfig", "The scheduler."), "The scheduler."),
});

const time = object(undefined, "Time synchronisation.", {
  disabled: field(boolean, "Whether time is left alone."),
  servers: field(list(string()), "Time servers."),
  bootTimeout: field(duration, "How long boot waits for the time."),
});

/** The published schema knows no more about an endpoint than that it exists. */
const endpoint = { ...url(), zero: null, json: { $ref: "#/$defs/v1alpha1.Endpoint" } } as const;

const loggingDestination = object("v1alpha1.LoggingDestination", "Where service logs are sent.", {
  endpoint: field(endpoint, "Address of the receiver: tcp://host:port or udp://host:port.", { always: true }),
  format: field(string({ values: ["json_lines"] }), "How messages are written.", { always: true }),
  extraTags: field(labels, "Fields added to every message."),
});

const logging = object("v1alpha1.LoggingConfig", "Delivery of service logs.", {
  destinations: field(list(loggingDestination), "Receivers of the logs.", { always: true }),
});

const kernelModule = object("v1alpha1.KernelModuleConfig", "A kernel module to load.", {
  name: field(string(), "Name of the module.", { always: true }),
  parameters: field(list(string()), "Parameters of the module."),
});

const kernel = object("v1alpha1.KernelConfig", "The kernel.", {
  modules: field(list(kernelModule), "Modules to load."),
});

const udev = object("v1alpha1.UdevConfig", "Device events.", {
  rules: field(list(string()), "Rules in udev's language.", {
    example: ['SUBSYSTEM=="drm", KERNEL=="renderD*", GROUP="44", MODE="0660"'],
  }),
});

const seccompProfile = object("v1alpha1.MachineSeccompProfile", "A seccomp profile for pods of the node.", {
  name: field(string(), "File name of the profile.", { always: true }),
  value: field(any, "The profile.", { always: true }),
});

export const machine = object("v1alpha1.MachineConfig", "The machine.", {
  type: field(string({ values: ["controlplane", "worker"] }), "What the machine is in the cluster.", { always: true }),
  token: field(string(), "Lets a machine join the machine API's certificate authority.", {
    always: true,
    secret: true,
  }),
  ca: field(certificateAndKey, "Certificate authority of the machine API; only control plane nodes have its key."),
  acceptedCAs: field(certificates, "More certificate authorities whose clients are accepted."),
  certSANs: field(list(string()), "More names and addresses in the machine's certificate.", {
    always: true,
    example: ["10.0.0.10", "172.16.0.10"],
  }),
  controlPlane: field(machineControlPlane, "Control plane parts on this node."),
  kubelet: field(kubelet, "The kubelet."),
  pods: field({ ...list(any), json: { type: "array", items: { type: "object" } } }, "Static pods run by the kubelet."),
  network: field(network, "Network settings.", { deprecated: "use the network documents" }),
  disks: field(list(machineDisk), "Disks to partition and mount.", { deprecated: "use UserVolumeConfig documents" }),
  install: field(install, "Installation."),
  files: field(list(machineFile), "Files written at boot.", {
    example: [{ content: "...", permissions: 0o666, path: "/tmp/file.txt", op: "append" }],
  }),
  env: field(labels, "Environment of the services.", { deprecated: "use an EnvironmentConfig document" }),
  time: field(time, "Time synchronisation.", { deprecated: "use a TimeSyncConfig document" }),
  sysctls: field(labels, "Kernel parameters below /proc/sys.", { example: { "net.ipv4.ip_forward": "0" } }),
  sysfs: field(labels, "Kernel settings below /sys.", {
    example: { "devices.system.cpu.cpu0.cpufreq.scaling_governor": "performance" },
  }),
  registries: field(registries, "Registries.", {
    deprecated: "use RegistryMirrorConfig and its sibling documents",
    inlineStruct: true,
  }),
  systemDiskEncryption: field(systemDiskEncryption, "Encryption of system partitions.", {
    deprecated: "use VolumeConfig documents",
  }),
  features: field(features, "Features."),
  udev: field(udev, "Device events."),
  logging: field(logging, "Delivery of logs."),
  kernel: field(kernel, "The kernel."),
  seccompProfiles: field(list(seccompProfile), "Seccomp profiles for pods.", { keepEmpty: true }),
  baseRuntimeSpecOverrides: field(any, "Changes to the specification every container starts from."),
  nodeLabels: field(labels, "Labels of the Kubernetes node.", { example: { exampleLabel: "exampleLabelValue" } }),
  nodeAnnotations: field(labels, "Annotations of the Kubernetes node."),
  nodeTaints: field(labels, "Taints of the Kubernetes node, value and effect separated by a colon.", {
    example: { exampleTaint: "value:NoSchedule" },
  }),
});
