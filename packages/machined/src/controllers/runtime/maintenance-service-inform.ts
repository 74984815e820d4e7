import { parseCertificate, publicKeyFingerprint } from "@talos-ts/crypto";
import { reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { MaintenanceServiceConfig, MaintenanceServiceRequest } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";

/** Tells whoever looks at the console how to give the machine its configuration. */
export function maintenanceServiceInformController(): Controller {
  let shownAddresses = "";
  let shownFingerprint = "";
  let usageShown = false;

  return reconcileController({
    name: "runtime.MaintenanceServiceInformController",
    inputs: [
      weak(MaintenanceServiceRequest, { id: MaintenanceServiceRequest.id }),
      weak(MaintenanceServiceConfig, { id: MaintenanceServiceConfig.id }),
      weak(ApiCertificate, { id: ApiCertificate.id }),
    ],
    outputs: [],
    async reconcile(context) {
      const { logger } = context;
      const request = await context.find(MaintenanceServiceRequest, MaintenanceServiceRequest.id);
      const config = await context.find(MaintenanceServiceConfig, MaintenanceServiceConfig.id);
      if (request === undefined || config === undefined) return;

      const { reachableAddresses } = config.spec;
      if (shownAddresses !== reachableAddresses.join()) {
        shownAddresses = reachableAddresses.join();
        logger.info("this machine is reachable at:");
        for (const address of reachableAddresses) logger.info(`\t${address}`);
      }

      const certificate = await context.find(ApiCertificate, ApiCertificate.id);
      const server = certificate?.spec.skipVerifyingClientCert === true ? certificate.spec.server : undefined;
      if (server !== undefined) {
        const fingerprint = publicKeyFingerprint(parseCertificate(server.crt));
        if (fingerprint !== shownFingerprint) logger.info("server certificate issued", { fingerprint });
        shownFingerprint = fingerprint;
      }

      const [address] = reachableAddresses;
      if (usageShown || address === undefined || shownFingerprint === "") return;
      usageShown = true;
      const command = `\ttalosctl apply-config --insecure --nodes ${address}`;
      logger.info("upload configuration using talosctl:");
      logger.info(`${command} --file <config.yaml>`);
      logger.info("optionally with node fingerprint check:");
      logger.info(`${command} --cert-fingerprint '${shownFingerprint}' --file <config.yaml>`);
    },
  });
}
