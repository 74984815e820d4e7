import { transformController, type Controller } from "@talos-ts/cosi";
import { HostnameSpec, HostnameStatus } from "@talos-ts/machinery/resources/network";
import type { Machine } from "../../machine.ts";

/** Sets the hostname and says so. The name of a container is not its own to set. */
export function hostnameSpecController(machine: Pick<Machine, "linux" | "platform">): Controller {
  return transformController({
    name: "network.HostnameSpecController",
    input: HostnameSpec,
    output: HostnameStatus,
    finalizers: true,
    async transform({ spec }, { logger }) {
      const { hostname, domainname } = spec;
      if (machine.platform.mode !== "container") {
        logger.info("setting hostname", { hostname, domainname });
        machine.linux.system.setHostname(hostname);
        if (domainname !== "") await machine.linux.sysctl.write("kernel.domainname", domainname);
      }
      return { hostname, domainname };
    },
  });
}
