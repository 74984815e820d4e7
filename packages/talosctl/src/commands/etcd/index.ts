import type { CommandEntry } from "../../command.ts";

export const etcdCommands: readonly CommandEntry[] = [
  {
    name: "alarm",
    summary: "List and disarm alarms",
    subcommands: [
      { name: "disarm", summary: "Disarm the alarms", load: () => import("./alarm-disarm.ts") },
      { name: "list", summary: "List the alarms", load: () => import("./alarm-list.ts") },
    ],
  },
  { name: "defrag", summary: "Defragment the database of a node", load: () => import("./defrag.ts") },
  {
    name: "downgrade",
    summary: "Make the storage one of an older version",
    subcommands: [
      { name: "cancel", summary: "Cancel a downgrade", load: () => import("./downgrade-cancel.ts") },
      { name: "enable", summary: "Begin a downgrade", load: () => import("./downgrade-enable.ts") },
      {
        name: "validate",
        summary: "Check whether a downgrade is possible",
        load: () => import("./downgrade-validate.ts"),
      },
    ],
  },
  {
    name: "forfeit-leadership",
    summary: "Hand the leadership to another member",
    load: () => import("./forfeit-leadership.ts"),
  },
  { name: "leave", destructive: true, summary: "Make a node leave the etcd cluster", load: () => import("./leave.ts") },
  { name: "members", summary: "List the members of the etcd cluster", load: () => import("./members.ts") },
  {
    name: "recover",
    destructive: true,
    summary: "Recover etcd from one of its members after the quorum is lost",
    load: () => import("./recover.ts"),
  },
  {
    name: "remove-member",
    destructive: true,
    summary: "Remove a broken member from the etcd cluster",
    load: () => import("./remove-member.ts"),
  },
  { name: "snapshot", summary: "Save a snapshot of etcd to a file", load: () => import("./snapshot.ts") },
  { name: "status", summary: "Show the status of etcd members", load: () => import("./status.ts") },
];
