import { kubernetesPaths } from "@talos-ts/machinery/constants";
import type { APIServerConfigSpec } from "@talos-ts/machinery/resources/k8s";
import type { JsonObject } from "@talos-ts/machinery/resources/values";
import {
  type Arguments,
  denyArguments,
  type MergePolicy,
  mergeArguments,
  renderArguments,
} from "../../../command-line/arguments.ts";
import { argumentsFromResource } from "../../internal/argument-values.ts";
import { annotations, configsOf, controlPlanePod, secretsOf } from "./control-plane-pod.ts";
import { compareVersions, versionOfImage } from "./kubernetes-version.ts";

const secrets = secretsOf("apiServer");
const configs = configsOf("apiServer");

/** Ciphers of TLS 1.3, and those of TLS 1.2 that have forward secrecy and authenticate what they encrypt. */
const cipherSuites = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
  "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
  "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
  "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
];

const secretFiles: Arguments = Object.fromEntries(
  Object.entries({
    "client-ca-file": "ca.crt",
    "encryption-provider-config": "encryptionconfig.yaml",
    "etcd-cafile": "etcd-client-ca.crt",
    "etcd-certfile": "etcd-client.crt",
    "etcd-keyfile": "etcd-client.key",
    "kubelet-client-certificate": "apiserver-kubelet-client.crt",
    "kubelet-client-key": "apiserver-kubelet-client.key",
    "proxy-client-cert-file": "front-proxy-client.crt",
    "proxy-client-key-file": "front-proxy-client.key",
    "requestheader-client-ca-file": "aggregator-ca.crt",
    "service-account-key-file": "service-account.pub",
    "service-account-signing-key-file": "service-account.key",
    "tls-cert-file": "apiserver.crt",
    "tls-private-key-file": "apiserver.key",
  }).map(([name, file]) => [name, [`${secrets}/${file}`]]),
);

const policies: Readonly<Record<string, MergePolicy>> = {
  ...denyArguments(Object.keys(secretFiles)),
  "authorization-config": "denied",
  "authorization-mode": "additive",
  "enable-admission-plugins": "additive",
  "etcd-servers": "denied",
  "feature-gates": "additive",
  "tls-cipher-suites": "additive",
};

/** The pod of the API server. */
export function apiServerPod(config: APIServerConfigSpec, versions: APIServerVersions): JsonObject {
  return controlPlanePod({
    component: "apiServer",
    image: config.image,
    command: ["/usr/local/bin/kube-apiserver", ...apiServerArgs(config)],
    annotations: {
      [annotations.secretsVersion]: versions.secrets,
      [annotations.configFileVersion]: versions.configFiles,
      [annotations.configVersion]: versions.config,
    },
    env: config.environmentVariables,
    volumes: [
      { name: "secrets", hostPath: secrets, readonly: true },
      { name: "config", hostPath: configs, readonly: true },
      { name: "audit", hostPath: kubernetesPaths.auditLog, readonly: false },
      ...config.extraVolumes,
    ],
    resources: config.resources,
    defaultRequests: { cpu: "200m", memory: "512Mi" },
    // The binary of upstream's image carries this file capability and cannot be executed without it.
    capabilities: ["NET_BIND_SERVICE"],
  });
}

export interface APIServerVersions {
  readonly secrets: string;
  readonly configFiles: string;
  readonly config: string;
}

function apiServerArgs(config: APIServerConfigSpec): readonly string[] {
  const extra = argumentsFromResource(config.extraArgs);
  const ours: Arguments = {
    ...secretFiles,
    ...authorization(extra),
    ...(config.advertisedAddress === "" ? {} : { "advertise-address": [config.advertisedAddress] }),
    ...cloudProvider(config),
    "admission-control-config-file": [`${configs}/admission-control-config.yaml`],
    "allow-privileged": ["true"],
    "anonymous-auth": ["false"],
    "api-audiences": [config.controlPlaneEndpoint],
    "audit-log-maxage": ["30"],
    "audit-log-maxbackup": ["10"],
    "audit-log-maxsize": ["100"],
    "audit-log-path": [`${kubernetesPaths.auditLog}/kube-apiserver.log`],
    "audit-policy-file": [`${configs}/auditpolicy.yaml`],
    "bind-address": ["0.0.0.0"],
    "enable-admission-plugins": ["NodeRestriction"],
    "enable-bootstrap-token-auth": ["true"],
    "etcd-servers": [config.etcdServers.join(",")],
    "kubelet-preferred-address-types": ["InternalIP,ExternalIP,Hostname"],
    profiling: ["false"],
    "requestheader-allowed-names": ["front-proxy-client"],
    "requestheader-extra-headers-prefix": ["X-Remote-Extra-"],
    "requestheader-group-headers": ["X-Remote-Group"],
    "requestheader-username-headers": ["X-Remote-User"],
    "secure-port": [String(config.localPort)],
    "service-account-issuer": [config.controlPlaneEndpoint],
    "service-cluster-ip-range": [config.serviceCIDR.join(",")],
    "tls-cipher-suites": [cipherSuites.join(",")],
    // Clients of all kinds come from outside, so TLS 1.2 stays allowed.
    "tls-min-version": ["VersionTLS12"],
  };
  return renderArguments(mergeArguments(ours, extra, policies));
}

/** A file of authorizers, unless the user chose them by arguments, which exclude the file. */
function authorization(extra: Arguments): Arguments {
  const byArguments = Object.keys(extra).some(
    (name) => name === "authorization-mode" || name.startsWith("authorization-webhook-"),
  );
  return byArguments
    ? { "authorization-mode": ["Node,RBAC"] }
    : { "authorization-config": [`${configs}/authorization-config.yaml`] };
}

/** The argument is gone since Kubernetes 1.33. */
function cloudProvider({ cloudProvider: name, image }: APIServerConfigSpec): Arguments {
  return name !== "" && compareVersions(versionOfImage(image), "1.33.0") < 0 ? { "cloud-provider": [name] } : {};
}
