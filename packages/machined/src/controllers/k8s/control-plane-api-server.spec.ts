import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { APIServerConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneAPIServerController } from "./control-plane-api-server.ts";

describe("controlPlaneAPIServerController()", () => {
  it("T-63, T-76: has the local etcd and port, and what the configuration adds", async () => {
    await using test = controllerTest({ register: [controlPlaneAPIServerController()] });
    await test.create(
      activeResource(`version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443", localAPIServerPort: 7443}
  externalCloudProvider: {enabled: true}
  apiServer:
    image: registry.k8s.io/kube-apiserver:v1.36.4
    extraArgs: {"feature-gates": "A=true", "runtime-config": ["a=true", "b=true"]}
    extraVolumes: [{hostPath: /var/lib/auth, mountPath: /etc/kubernetes/auth.d/, readonly: true}]
    env: {HTTP_PROXY: "http://proxy.lan"}
    resources: {requests: {cpu: 1}, limits: {memory: 1Gi}}
`),
    );
    await test.assertSpec(APIServerConfig, "kube-apiserver", {
      image: "registry.k8s.io/kube-apiserver:v1.36.4",
      cloudProvider: "external",
      controlPlaneEndpoint: "https://10.5.0.2:6443",
      etcdServers: ["https://127.0.0.1:2379"],
      localPort: 7443,
      serviceCIDR: ["10.96.0.0/12"],
      extraArgs: { "feature-gates": { values: ["A=true"] }, "runtime-config": { values: ["a=true", "b=true"] } },
      extraVolumes: [
        {
          name: "etc-kubernetes-auth-d",
          hostPath: "/var/lib/auth",
          mountPath: "/etc/kubernetes/auth.d/",
          readonly: true,
        },
      ],
      environmentVariables: { HTTP_PROXY: "http://proxy.lan" },
      advertisedAddress: "$(POD_IP)",
      resources: { requests: { cpu: "1", memory: "" }, limits: { memory: "1Gi" } },
    });
  });
  it("is not there on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneAPIServerController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(APIServerConfig, "kube-apiserver");
  });
});
