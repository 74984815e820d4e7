import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { imageReferences } from "@talos-ts/provision";
import { eventually } from "./cluster-support.ts";
import type { KubernetesCluster } from "./kubernetes-support.ts";

/** Settings that the strictest of the Pod Security Standards asks of a pod. */
const securityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  runAsUser: 65534,
  seccompProfile: { type: "RuntimeDefault" },
};

/** A container of an image that every node has; `kubectl proxy` of it serves files over HTTP. */
const container = (name: string, ...args: readonly string[]) => ({
  name,
  image: imageReferences().proxy,
  command: ["kubectl", "proxy", ...args],
  securityContext,
});

const serving = ["--address=0.0.0.0", "--port=8080", "--accept-hosts=.*", "--www=/page", "--www-prefix=/"];

/** A Deployment and its Service on one node, and a pod on the other one. */
function objects(server: string, client: string): string {
  const labels = { app: "web" };
  const web = {
    ...container("web", "--api-prefix=/api/", ...serving),
    ports: [{ containerPort: 8080 }],
    readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
    volumeMounts: [
      { name: "page", mountPath: "/page" },
      { name: "scratch", mountPath: "/scratch" },
    ],
  };
  const volumes = [
    { name: "page", configMap: { name: "page" } },
    { name: "scratch", emptyDir: {} },
  ];
  const pod = { terminationGracePeriodSeconds: 0 };
  const items = [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "page" }, data: { "index.html": "answered by web\n" } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { ...pod, nodeSelector: { "kubernetes.io/hostname": server }, containers: [web], volumes },
        },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "client" },
      spec: { ...pod, nodeName: client, containers: [container("client")] },
    },
  ];
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

/** Workloads as a user of the cluster has them, reached in every way that `kubectl` and the cluster offer. */
export function workloads(cluster: () => KubernetesCluster): void {
  const kubectl = (...args: readonly string[]): Promise<string> => cluster().kubectl(...args);
  const get = (url: string): readonly string[] => ["kubectl", "get", "--raw", "/", `--server=${url}`];

  void describe("workloads", () => {
    before(async () => {
      const { home, plan } = cluster();
      const [client = "", server = ""] = plan.nodes.map(({ name }) => name);
      await kubectl("apply", "-f", await home.write("workloads.json", objects(server, client)));
      await kubectl("rollout", "status", "deployment/web", "--timeout=240s");
      await kubectl("wait", "--for=condition=Ready", "pod/client", "--timeout=240s");
    });
    after(() => kubectl("delete", "deployment/web", "service/web", "pod/client", "configmap/page", "--wait=false"));

    void it("run on the nodes they ask for", async () => {
      const { plan } = cluster();
      const [controlPlane, worker] = plan.nodes.map(({ name }) => name);
      const columns = "custom-columns=LABEL:.metadata.labels.app,NODE:.spec.nodeName";
      const rows = (await kubectl("get", "pods", "--no-headers", "-o", columns)).trim().split("\n");
      const nodes = rows.map((row) => row.split(/ +/).join(" on ")).sort();
      assert.deepEqual(nodes, [`<none> on ${controlPlane ?? ""}`, `web on ${worker ?? ""}`, `web on ${worker ?? ""}`]);
    });
    for (const name of ["web", "web.default.svc.cluster.local"]) {
      void it(`reach the Service ${name} by its DNS name from the other node`, async () => {
        // A node learns of the Service and its pods a moment after they are ready.
        await eventually(
          () => kubectl("exec", "client", "--", ...get(`http://${name}`)).catch((err: unknown) => String(err)),
          (answer) => answer === "answered by web\n",
        );
      });
    }
    void it("reach the Kubernetes API with the account of their pod", async () => {
      const whoami = ["kubectl", "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"];
      assert.equal(await kubectl("exec", "client", "--", ...whoami), "system:serviceaccount:default:default");
    });
    void it("are reached through port-forward", async () => {
      const args = ["port-forward", "service/web", ":80"];
      await cluster().kubectlWhile(/Forwarding from 127\.0\.0\.1:(\d+) -> 8080/, args, async ([, port]) => {
        const response = await fetch(`http://127.0.0.1:${port ?? ""}/`);
        assert.equal(await response.text(), "answered by web\n");
      });
    });
    void it("write logs", async () => {
      assert.match(await kubectl("logs", "deployment/web"), /^Starting to serve on \[::\]:8080$/m);
      const all = await kubectl("logs", "-l", "app=web", "--prefix", "--tail=1");
      assert.equal(all.match(/^\[pod\/web-\S+\/web\] Starting to serve/gm)?.length, 2);
    });
    void it("give the exit code of a program that exec runs", async () => {
      await assert.rejects(
        kubectl("exec", "client", "--", "kubectl", "no-such-command"),
        /command terminated with exit code 1/,
      );
    });
    void it("take and give files through cp", async () => {
      const { home } = cluster();
      const text = `${"copied there and back\n".repeat(20_000)}end\n`;
      await home.write("sent.txt", text);
      const pod = (await kubectl("get", "pods", "-l", "app=web", "-o", "name")).split("\n")[0]?.slice("pod/".length);
      await kubectl("cp", "sent.txt", `${pod ?? ""}:/scratch/received.txt`);
      await kubectl("cp", `${pod ?? ""}:/scratch/received.txt`, "back.txt");
      assert.equal(await readFile(join(home.path, "back.txt"), "utf8"), text);
    });
    void it("come back when a pod is deleted, and the Service answers again", async () => {
      await kubectl("delete", "pod", "-l", "app=web");
      await kubectl("rollout", "status", "deployment/web", "--timeout=240s");
      await eventually(
        () => kubectl("exec", "client", "--", ...get("http://web.default")).catch((err: unknown) => String(err)),
        (answer) => answer === "answered by web\n",
      );
    });
  });
}
