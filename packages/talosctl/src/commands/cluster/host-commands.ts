import type { HostCommands } from "@talos-ts/provision";

/** Command lines of the processes beside the nodes: this very program, with hidden commands. */
export function hostCommands(): HostCommands {
  const [program = "", script = ""] = process.argv;
  const own = [program, ...process.execArgv, script, "cluster"];
  return {
    discovery: [...own, "__discovery"],
    loadBalancer: [...own, "__loadbalancer"],
    supervisor: [...own, "__supervisor"],
  };
}
