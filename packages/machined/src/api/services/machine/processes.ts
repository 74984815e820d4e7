import type { Handler } from "./handler.ts";

export const processes: Handler<"processes"> = (machine) => async () => ({
  messages: [
    {
      processes: (await machine.linux.procfs.processes()).map((info) => ({
        pid: info.pid,
        ppid: info.parentPid,
        state: info.state,
        threads: info.threads,
        cpuTime: info.cpuSeconds,
        virtualMemory: info.virtualBytes,
        residentMemory: info.residentBytes,
        command: info.command,
        executable: info.executable,
        args: info.arguments.join(" "),
        label: info.label,
      })),
    },
  ],
});
