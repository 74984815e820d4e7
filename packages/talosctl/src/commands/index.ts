import type { CommandEntry } from "../command.ts";
import { clusterCommands } from "./cluster/index.ts";
import { completionCommands } from "./completion/index.ts";
import { configCommands } from "./config/index.ts";
import { conformanceCommands } from "./conformance/index.ts";
import { doctorCommands } from "./doctor/index.ts";
import { etcdCommands } from "./etcd/index.ts";
import { genCommands } from "./gen/index.ts";
import { imageCommands } from "./image/index.ts";
import { injectCommands } from "./inject/index.ts";
import { machineConfigCommands } from "./machineconfig/index.ts";
import { metaCommands } from "./meta/index.ts";
import { retiredCommands } from "./retired.ts";
import { wipeCommands } from "./wipe/index.ts";

/** Every command, by name. What a command needs is loaded when it is called. */
export const commandEntries: readonly CommandEntry[] = [
  {
    name: "apply-config",
    aliases: ["apply"],
    summary: "Apply a configuration to nodes",
    load: () => import("./apply-config.ts"),
  },
  { name: "audit", summary: "Show the calls that nodes served", load: () => import("./audit.ts") },
  { name: "bootstrap", summary: "Start etcd for the first time", load: () => import("./bootstrap.ts") },
  {
    name: "cgroups",
    aliases: ["cg"],
    summary: "Show what control groups use",
    load: () => import("./cgroups.ts"),
  },
  { name: "cluster", summary: "Create, show and destroy clusters on this machine", subcommands: clusterCommands },
  { name: "__complete", summary: "Candidates for a shell", hidden: true, load: () => import("./complete.ts") },
  {
    name: "completion",
    summary: "Print the completion script of a shell",
    subcommands: completionCommands,
  },
  { name: "config", summary: "Manage the client configuration file (talosconfig)", subcommands: configCommands },
  {
    name: "config-history",
    summary: "List and restore former configurations of nodes",
    load: () => import("./config-history.ts"),
  },
  { name: "conformance", summary: "Run conformance tests", subcommands: conformanceCommands },
  { name: "containers", aliases: ["c"], summary: "List containers", load: () => import("./containers.ts") },
  { name: "copy", aliases: ["cp"], summary: "Copy files out of a node", load: () => import("./copy.ts") },
  {
    name: "dashboard",
    summary: "Show nodes, problems, figures and logs in the terminal",
    load: () => import("./dashboard.ts"),
  },
  {
    name: "debug",
    summary: "Run a container with a terminal on a node",
    load: () => import("./debug.ts"),
  },
  { name: "doctor", summary: "Find out what is wrong", subcommands: doctorCommands },
  { name: "dmesg", summary: "Show the kernel log", load: () => import("./dmesg.ts") },
  { name: "edit", summary: "Edit the configuration of a node", load: () => import("./edit.ts") },
  { name: "etcd", summary: "Look after etcd: members, status, alarms, snapshots", subcommands: etcdCommands },
  { name: "events", summary: "Show events as they happen", load: () => import("./events.ts") },
  { name: "gen", summary: "Make configurations, secrets and certificates", subcommands: genCommands },
  { name: "get", aliases: ["g"], summary: "Get resources (`get rd` lists the types)", load: () => import("./get.ts") },
  { name: "image", aliases: ["images"], summary: "Manage container images", subcommands: imageCommands },
  { name: "health", summary: "Check the health of the cluster", load: () => import("./health.ts") },
  {
    name: "inject",
    summary: "Change Kubernetes manifests so that pods reach the Talos API",
    subcommands: injectCommands,
  },
  {
    name: "inspect",
    summary: "Look inside a node",
    subcommands: [
      {
        name: "dependencies",
        summary: "Show controllers and resources as a graph",
        load: () => import("./inspect-dependencies.ts"),
      },
    ],
  },
  { name: "kubeconfig", summary: "Download the kubeconfig of an administrator", load: () => import("./kubeconfig.ts") },
  { name: "list", aliases: ["ls"], summary: "List files", load: () => import("./list.ts") },
  { name: "logs", summary: "Retrieve logs of a service", load: () => import("./logs.ts") },
  {
    name: "machineconfig",
    aliases: ["mc"],
    summary: "Make and patch machine configurations",
    subcommands: machineConfigCommands,
  },
  { name: "memory", aliases: ["m", "free"], summary: "Show memory usage", load: () => import("./memory.ts") },
  { name: "meta", summary: "Write and delete keys in the META partition", subcommands: metaCommands },
  { name: "mounts", aliases: ["mount"], summary: "List mounts", load: () => import("./mounts.ts") },
  { name: "netstat", aliases: ["ss"], summary: "Show sockets and connections", load: () => import("./netstat.ts") },
  {
    name: "operations",
    aliases: ["operation"],
    summary: "Show long work on the cluster, and follow it",
    load: () => import("./operations.ts"),
  },
  { name: "patch", summary: "Patch the configuration of nodes", load: () => import("./patch.ts") },
  {
    name: "pcap",
    aliases: ["tcpdump"],
    summary: "Capture the packets of a link",
    load: () => import("./pcap.ts"),
  },
  { name: "processes", aliases: ["p", "ps"], summary: "List processes", load: () => import("./processes.ts") },
  { name: "read", aliases: ["cat"], summary: "Read a file", load: () => import("./read.ts") },
  { name: "reboot", destructive: true, summary: "Reboot nodes", load: () => import("./reboot.ts") },
  { name: "reset", destructive: true, summary: "Erase nodes", load: () => import("./reset.ts") },
  { name: "restart", summary: "Restart a container", load: () => import("./restart.ts") },
  {
    name: "rollback",
    destructive: true,
    summary: "Roll nodes back to the previous installation",
    load: () => import("./rollback.ts"),
  },
  {
    name: "rotate-ca",
    destructive: true,
    summary: "Replace the CAs of the Talos and Kubernetes APIs",
    load: () => import("./rotate-ca.ts"),
  },
  {
    name: "service",
    aliases: ["services"],
    summary: "Show services, or start, stop and restart one",
    load: () => import("./service.ts"),
  },
  { name: "shutdown", destructive: true, summary: "Shut nodes down", load: () => import("./shutdown.ts") },
  { name: "stats", summary: "Show what containers use", load: () => import("./stats.ts") },
  { name: "support", summary: "Collect what helps to find out what is wrong", load: () => import("./support.ts") },
  { name: "time", summary: "Show the clocks of nodes", load: () => import("./time.ts") },
  {
    name: "upgrade",
    destructive: true,
    summary: "Install another version of the operating system on nodes",
    load: () => import("./upgrade.ts"),
  },
  {
    name: "upgrade-k8s",
    destructive: true,
    summary: "Upgrade Kubernetes in the cluster",
    load: () => import("./upgrade-k8s.ts"),
  },
  { name: "usage", aliases: ["du"], summary: "Show what files use", load: () => import("./usage.ts") },
  { name: "validate", summary: "Check a machine configuration", load: () => import("./validate.ts") },
  { name: "version", summary: "Print the versions of client and nodes", load: () => import("./version.ts") },
  { name: "wipe", summary: "Wipe block devices", subcommands: wipeCommands },
  ...retiredCommands,
];
