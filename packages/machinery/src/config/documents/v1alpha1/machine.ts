import { durationFormat, urlFormat } from "../../schema/formats.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { any, property, array, object } from "../../schema/type.ts";
import { certificateAndKey, certificates, labels } from "./common.ts";
import { features } from "./features.ts";
import { machineDisk, machineFile, systemDiskEncryption } from "./files.ts";
import { install } from "./install.ts";
import { kubelet } from "./kubelet.ts";
import { network } from "./network.ts";
import { registries } from "./registries.ts";

const disableable = (name: string, doc: string) =>
  object(name, doc, { disabled: property(boolean, "Whether it is left out on this node.") });

const machineControlPlane = object("v1alpha1.MachineControlPlaneConfig", "Control plane parts on this node.", {
  controllerManager: property(
    disableable("v1alpha1.MachineControllerManagerConfig", "The controller manager."),
    "The controller manager.",
  ),
  scheduler: property(disableable("v1alpha1.MachineSchedulerConfig", "The scheduler."), "The scheduler."),
});

const time = object(undefined, "Time synchronisation.", {
  disabled: property(boolean, "Whether time is left alone."),
  servers: property(array(string()), "Time servers."),
  bootTimeout: property(durationFormat, "How long boot waits for the time."),
});

/** The published schema knows no more about an endpoint than that it exists. */
const endpoint = { ...urlFormat(), zero: null, json: { $ref: "#/$defs/v1alpha1.Endpoint" } } as const;

const loggingDestination = object("v1alpha1.LoggingDestination", "Where service logs are sent.", {
  endpoint: property(endpoint, "Address of the receiver: tcp://host:port or udp://host:port.", { always: true }),
  format: property(string({ values: ["json_lines"] }), "How messages are written.", { always: true }),
  extraTags: property(labels, "Fields added to every message."),
});

const logging = object("v1alpha1.LoggingConfig", "Delivery of service logs.", {
  destinations: property(array(loggingDestination), "Receivers of the logs.", { always: true }),
});

const kernelModule = object("v1alpha1.KernelModuleConfig", "A kernel module to load.", {
  name: property(string(), "Name of the module.", { always: true }),
  parameters: property(array(string()), "Parameters of the module."),
});

const kernel = object("v1alpha1.KernelConfig", "The kernel.", {
  modules: property(array(kernelModule), "Modules to load."),
});

const udev = object("v1alpha1.UdevConfig", "Device events.", {
  rules: property(array(string()), "Rules in udev's language.", {
    example: ['SUBSYSTEM=="drm", KERNEL=="renderD*", GROUP="44", MODE="0660"'],
  }),
});

const seccompProfile = object("v1alpha1.MachineSeccompProfile", "A seccomp profile for pods of the node.", {
  name: property(string(), "File name of the profile.", { always: true }),
  value: property(any, "The profile.", { always: true }),
});

export const machine = object("v1alpha1.MachineConfig", "The machine.", {
  type: property(string({ values: ["controlplane", "worker"] }), "What the machine is in the cluster.", {
    always: true,
  }),
  token: property(string(), "Lets a machine join the machine API's certificate authority.", {
    always: true,
    secret: true,
  }),
  ca: property(certificateAndKey, "Certificate authority of the machine API; only control plane nodes have its key."),
  acceptedCAs: property(certificates, "More certificate authorities whose clients are accepted."),
  certSANs: property(array(string()), "More names and addresses in the machine's certificate.", {
    always: true,
    example: ["10.0.0.10", "172.16.0.10"],
  }),
  controlPlane: property(machineControlPlane, "Control plane parts on this node."),
  kubelet: property(kubelet, "The kubelet."),
  pods: property(
    { ...array(any), json: { type: "array", items: { type: "object" } } },
    "Static pods run by the kubelet.",
  ),
  network: property(network, "Network settings.", { deprecated: "use the network documents" }),
  disks: property(array(machineDisk), "Disks to partition and mount.", {
    deprecated: "use UserVolumeConfig documents",
  }),
  install: property(install, "Installation."),
  files: property(array(machineFile), "Files written at boot.", {
    example: [{ content: "...", permissions: 0o666, path: "/tmp/file.txt", op: "append" }],
  }),
  env: property(labels, "Environment of the services.", { deprecated: "use an EnvironmentConfig document" }),
  time: property(time, "Time synchronisation.", { deprecated: "use a TimeSyncConfig document" }),
  sysctls: property(labels, "Kernel parameters below /proc/sys.", { example: { "net.ipv4.ip_forward": "0" } }),
  sysfs: property(labels, "Kernel settings below /sys.", {
    example: { "devices.system.cpu.cpu0.cpufreq.scaling_governor": "performance" },
  }),
  registries: property(registries, "Registries.", {
    deprecated: "use RegistryMirrorConfig and its sibling documents",
    inlineStruct: true,
  }),
  systemDiskEncryption: property(systemDiskEncryption, "Encryption of system partitions.", {
    deprecated: "use VolumeConfig documents",
  }),
  features: property(features, "Features."),
  udev: property(udev, "Device events."),
  logging: property(logging, "Delivery of logs."),
  kernel: property(kernel, "The kernel."),
  seccompProfiles: property(array(seccompProfile), "Seccomp profiles for pods.", { keepEmpty: true }),
  baseRuntimeSpecOverrides: property(any, "Changes to the specification every container starts from."),
  nodeLabels: property(labels, "Labels of the Kubernetes node.", { example: { exampleLabel: "exampleLabelValue" } }),
  nodeAnnotations: property(labels, "Annotations of the Kubernetes node."),
  nodeTaints: property(labels, "Taints of the Kubernetes node, value and effect separated by a colon.", {
    example: { exampleTaint: "value:NoSchedule" },
  }),
});
