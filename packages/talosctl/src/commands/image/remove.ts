import { ImageService } from "@talos-ts/proto/machine/image";
import type { CommandDefinition } from "../../command.ts";
import { openSession } from "../../session/session.ts";
import { imageNamespace, namespaceOption } from "./image-namespace.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<image>", description: "reference of the image" }],
  options: [namespaceOption],
  examples: ["talosctl image remove registry.k8s.io/pause:3.10.1"],
  async run(invocation) {
    const [imageRef = ""] = invocation.args;
    await using session = await openSession(invocation);
    const containerd = imageNamespace(invocation);
    for (const node of session.targets) {
      await session.one(ImageService, node).remove({ containerd, imageRef }, { signal: invocation.signal });
      invocation.io.err(`${node ?? session.defaultNode}: removed ${imageRef}\n`);
    }
  },
};
