import type { CommandEntry } from "../../command.ts";

/** Commands that find out what is wrong. */
export const doctorCommands: readonly CommandEntry[] = [
  {
    name: "connection",
    summary: "Find out why the API cannot be reached, or cannot do what was asked",
    load: () => import("./connection.ts"),
  },
];
