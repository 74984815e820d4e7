import { controllerTest, type ControllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { testMachine } from "../../internal/testing.ts";
import { networkEtcFileController } from "../etc-file.ts";
import { hostDnsConfigController } from "../host-dns-config.ts";
import { networkStatusController } from "../network-status.ts";

/** The controllers behind `/etc/hosts`, `/etc/resolv.conf` and the network status, below a directory of their own. */
export interface EtcFiles extends ControllerTest {
  readonly root: string;
}

export async function etcFiles(): Promise<EtcFiles> {
  const { path: root, ...directory } = await temporaryDirectory();
  const machine = testMachine({ root });
  const kit = controllerTest({
    register: [networkEtcFileController(machine), hostDnsConfigController(), networkStatusController(machine)],
  });
  return {
    ...kit,
    root,
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}
