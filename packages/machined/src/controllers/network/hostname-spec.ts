import { transformController, type Controller } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { HostnameSpec, HostnameStatus, type HostnameStatusSpec } from "@talos-ts/machinery/resources/network";

/** Makes a hostname and its domain those of the kernel. */
export type SetHostname = (name: HostnameStatusSpec) => Promise<void>;

/** Sets the hostname with `sethostname(2)`, and the domain name if there is one. */
export function kernelHostname(linux: Pick<Linux, "system" | "sysctl">): SetHostname {
  return async ({ hostname, domainname }) => {
    linux.system.setHostname(hostname);
    if (domainname !== "") await linux.sysctl.write("kernel.domainname", domainname);
  };
}

/** Sets the hostname, unless it belongs to somebody else, and publishes it as the status. */
export function hostnameSpecController({ setHostname }: { readonly setHostname: SetHostname | undefined }): Controller {
  return transformController({
    name: "network.HostnameSpecController",
    input: HostnameSpec,
    output: HostnameStatus,
    finalizers: true,
    async transform({ spec: { hostname, domainname } }, { logger }) {
      const name = { hostname, domainname };
      if (setHostname !== undefined) {
        logger.info("setting hostname", name);
        await setHostname(name);
      }
      return name;
    },
  });
}
