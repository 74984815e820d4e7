import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { SecretStatus } from "@talos-ts/machinery/resources/k8s";
import {
  EtcdRootSecret,
  EtcdSecret,
  KubernetesDynamicCert,
  KubernetesRootSecret,
  KubernetesSecret,
} from "@talos-ts/machinery/resources/secrets";
import { parse } from "yaml";
import { testSecrets } from "../internal/testing.ts";
import { encryptionConfig } from "./internal/pod-secrets.ts";
import { renderSecretsStaticPodController } from "./render-secrets-static-pod.ts";

const pair = (name: string) => ({ crt: `${name} crt`, key: `${name} key` });

describe("renderSecretsStaticPodController()", () => {
  it("writes the secrets of each pod for its user alone, and replaces only what changed", async () => {
    await using root = await temporaryDirectory();
    const owners = new Map<string, number>();
    const setOwner = async (path: string, uid: number): Promise<void> => {
      owners.set(path.replace(root.path, "").replace(/\.new$/, ""), uid);
    };
    await using test = controllerTest({ register: [renderSecretsStaticPodController({ root: root.path, setOwner })] });
    const { certs } = await testSecrets();
    const certificates = createResource(
      KubernetesDynamicCert,
      KubernetesDynamicCert.id,
      KubernetesDynamicCert.spec({
        apiServer: pair("apiserver"),
        apiServerKubeletClient: pair("kubelet client"),
        frontProxy: pair("front proxy"),
      }),
    );
    await test.create(
      createResource(
        KubernetesRootSecret,
        KubernetesRootSecret.id,
        KubernetesRootSecret.spec({
          issuingCA: pair("ca"),
          aggregatorCA: pair("aggregator"),
          acceptedCAs: [{ crt: "ca crt\n" }, { crt: "other crt\n" }],
          serviceAccount: certs.k8sServiceAccount,
          secretboxEncryptionSecret: "box",
        }),
      ),
      createResource(EtcdRootSecret, EtcdRootSecret.id, EtcdRootSecret.spec({ etcdCA: pair("etcd ca") })),
      createResource(EtcdSecret, EtcdSecret.id, EtcdSecret.spec({ etcdAPIServer: pair("etcd client") })),
      createResource(
        KubernetesSecret,
        KubernetesSecret.id,
        KubernetesSecret.spec({ schedulerKubeconfig: "scheduler", controllerManagerKubeconfig: "manager" }),
      ),
      certificates,
    );
    await test.assertSpec(SecretStatus, SecretStatus.id, { ready: true, version: "1" });
    const folder = join(root.path, "system/secrets/kubernetes");
    const read = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
    assert.deepEqual(await readdir(folder), ["kube-apiserver", "kube-controller-manager", "kube-scheduler"]);
    assert.deepEqual(await readdir(join(folder, "kube-controller-manager")), [
      "ca.crt",
      "ca.key",
      "kubeconfig",
      "service-account.key",
    ]);
    assert.equal(await read("kube-apiserver/ca.crt"), "ca crt\nother crt\n");
    assert.equal(await read("kube-scheduler/kubeconfig"), "scheduler");
    const publicKey = createPublicKey(createPrivateKey(certs.k8sServiceAccount.key));
    assert.ok(createPublicKey(await read("kube-apiserver/service-account.pub")).equals(publicKey));
    const file = await stat(join(folder, "kube-apiserver/apiserver.key"));
    assert.equal(file.mode & 0o777, 0o400);
    assert.equal(owners.get("/system/secrets/kubernetes/kube-apiserver/apiserver.key"), 65_534);
    assert.equal(owners.get("/system/secrets/kubernetes/kube-scheduler/kubeconfig"), 65_536);
    owners.clear();
    await test.update(KubernetesDynamicCert, KubernetesDynamicCert.id, (spec) => ({ ...spec, apiServer: pair("new") }));
    await test.settled();
    assert.deepEqual(
      [...owners.keys()].map((path) => path.replace(/.*\//, "")),
      ["apiserver.crt", "apiserver.key"],
    );
    await test.assertSpec(SecretStatus, SecretStatus.id, { ready: true, version: "1" });
  });
});

describe("encryptionConfig()", () => {
  it("writes with secretbox before AES-CBC, and can read what is not encrypted", () => {
    const providers = (spec: Parameters<typeof KubernetesRootSecret.spec>[0]): readonly string[] => {
      const { resources } = parse(encryptionConfig(KubernetesRootSecret.spec(spec))) as {
        readonly resources: readonly { readonly providers: readonly object[] }[];
      };
      return (resources[0]?.providers ?? []).flatMap((provider) => Object.keys(provider));
    };
    assert.deepEqual(providers({}), ["identity"]);
    assert.deepEqual(providers({ aesCBCEncryptionSecret: "a" }), ["aescbc", "identity"]);
    assert.deepEqual(providers({ aesCBCEncryptionSecret: "a", secretboxEncryptionSecret: "b" }), [
      "secretbox",
      "aescbc",
      "identity",
    ]);
  });
});
