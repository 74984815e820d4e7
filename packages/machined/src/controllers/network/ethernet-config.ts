import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { documentsOf, ethernetConfig, type DocumentOf } from "@talos-ts/machinery/config";
import { EthernetSpec, type EthernetSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Settings of network cards of the configuration. */
export function ethernetConfigController(): Controller {
  return reduceController({
    name: "network.EthernetConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(EthernetSpec)],
    async reduce(context) {
      const config = await activeConfig(context);
      const documents = config === undefined ? [] : documentsOf(config, ethernetConfig);
      return documents.map((document) => createResource(EthernetSpec, document.name ?? "", specOf(document)));
    },
  });
}

function specOf(document: DocumentOf<typeof ethernetConfig>): EthernetSpecSpec {
  const { rings = {}, channels = {}, features = {}, wakeOnLan = [] } = document;
  return EthernetSpec.spec({
    features,
    rings: {
      rx: rings.rx,
      tx: rings.tx,
      rxMini: rings["rx-mini"],
      rxJumbo: rings["rx-jumbo"],
      rxBufLen: rings["rx-buf-len"],
      cqeSize: rings["cqe-size"],
      txPush: rings["tx-push"],
      rxPush: rings["rx-push"],
      txPushBufLen: rings["tx-push-buf-len"],
      tcpDataSplit: rings["tcp-data-split"],
    },
    channels,
    wakeOnLan,
  });
}
