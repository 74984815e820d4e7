import { join } from "node:path";
import { reconcileController, shared, type Controller } from "@talos-ts/cosi";
import { Identity, type IdentitySpec } from "@talos-ts/machinery/resources/cluster";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { etcLabel } from "../internal/etc-label.ts";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";
import { loadOrCreateIdentity, machineId } from "./internal/identity-file.ts";

const name = "cluster.NodeIdentityController";

/** Publishes who this node is, for good: kept on the STATE volume, and the source of `/etc/machine-id`. */
export function nodeIdentityController({ root }: { readonly root: string }): Controller {
  let established: IdentitySpec | undefined;
  const reading = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    async work(path, context) {
      const identity = await loadOrCreateIdentity(join(path, "node-identity.yaml"));
      await context.modify(Identity, Identity.id, () => identity);
      const file = EtcFileSpec.spec({ contents: machineId(identity), mode: 0o444, selinuxLabel: etcLabel });
      await context.modify(EtcFileSpec, "machine-id", () => file);
      context.logger.info("node identity established", { node_id: identity.nodeId });
      return identity;
    },
  });

  return reconcileController({
    name,
    inputs: [...mountedVolumeInputs(name, systemVolumes.state)],
    outputs: [shared(Identity), shared(EtcFileSpec), ...mountedVolumeOutputs],
    async reconcile(context) {
      established ??= (await reading.step(context))?.value;
    },
  });
}
