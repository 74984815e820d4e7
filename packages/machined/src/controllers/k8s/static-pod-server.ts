import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OsError } from "@talos-ts/base";
import { exclusive, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { StaticPod, StaticPodServerStatus } from "@talos-ts/machinery/resources/k8s";

/** Serves all static pods to the kubelet as one list, on the loopback interface. */
export function staticPodServerController(): Controller {
  return {
    name: "k8s.StaticPodServerController",
    inputs: [weak(StaticPod)],
    outputs: [exclusive(StaticPodServerStatus)],
    async run(context) {
      const known = new Map<string, string>();
      let list: string | undefined;
      await using server = await listen(() => list);
      const failed = new Promise<never>((_, reject) => {
        server.http.on("error", (err) => reject(OsError.from(err)));
      });
      failed.catch(() => undefined);
      const serve = async (): Promise<void> => {
        for await (const _ of context.events) {
          list = await podList(context, known);
          await context.modify(StaticPodServerStatus, StaticPodServerStatus.id, () => ({ url: server.url }));
          context.resetRestartBackoff();
        }
      };
      await Promise.race([serve(), failed]);
    },
  };
}

/** The list as the kubelet reads it. What is new, changed or gone since the last one is logged. */
async function podList(context: ControllerContext, known: Map<string, string>): Promise<string> {
  const pods = (await context.list(StaticPod)).filter(({ metadata }) => metadata.phase === "running");
  for (const { metadata } of pods) {
    const { id } = metadata;
    const [before, version] = [known.get(id), String(metadata.version)];
    if (before === version) continue;
    known.set(id, version);
    if (before === undefined) context.logger.info("rendered new static pod", { id });
    else context.logger.info("rendered updated static pod", { id, old_version: before, new_version: version });
  }
  for (const id of [...known.keys()].filter((key) => !pods.some(({ metadata }) => metadata.id === key))) {
    known.delete(id);
    context.logger.info("removed static pod", { id });
  }
  return JSON.stringify({ kind: "PodList", apiVersion: "v1", items: pods.map(({ spec }) => spec) });
}

interface PodServer extends AsyncDisposable {
  readonly http: Server;
  readonly url: string;
}

async function listen(list: () => string | undefined): Promise<PodServer> {
  const http = createServer((_request, response) => {
    const body = list();
    response.writeHead(body === undefined ? 500 : 200, { "content-type": "application/json" });
    response.end(body ?? "the list of static pods is not ready");
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(0, "127.0.0.1", () => {
      http.off("error", reject);
      resolve();
    });
  });
  return {
    http,
    url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => {
        http.close(resolve);
      });
    },
  };
}
