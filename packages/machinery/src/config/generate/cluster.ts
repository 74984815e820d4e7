import { pemToBase64 } from "@talos-ts/crypto";
import type { ClusterSection } from "../documents/v1alpha1/config.ts";
import { parseGoUrl } from "../schema/go-url.ts";
import { imageRepositories } from "../../constants/index.ts";
import { auditPolicy, podSecurityAdmission } from "./defaults.ts";
import type { GenerateContext } from "./generate.ts";
import { versioned } from "./machine.ts";
import { compact } from "./compact.ts";
import { encodeKeyPair } from "./pem.ts";

export function generateCluster(context: GenerateContext): ClusterSection {
  return context.input.machineType === "worker" ? workerCluster(context) : controlPlaneCluster(context);
}

function workerCluster(context: GenerateContext): ClusterSection {
  const { input, has } = context;
  return compact({
    ...common(context),
    controlPlane: { endpoint: input.endpoint },
    clusterName: has("clusterNameForWorkers") ? input.clusterName : undefined,
    ca: { crt: pemToBase64(input.secrets.certs.k8s.crt) },
  });
}

/** Returns what every machine of the cluster knows. */
function common({ input, options, has, podNetwork, serviceNetwork }: GenerateContext): ClusterSection {
  return {
    id: input.secrets.cluster.id,
    secret: input.secrets.cluster.secret,
    network: compact({
      cni: options.cni,
      dnsDomain: options.dnsDomain ?? "cluster.local",
      podSubnets: [podNetwork],
      serviceSubnets: [serviceNetwork],
    }),
    token: input.secrets.secrets.bootstrapToken,
    discovery: compact({
      enabled: options.clusterDiscovery ?? true,
      registries: has("kubernetesDiscoveryDisabled") ? { kubernetes: { disabled: true } } : undefined,
    }),
  };
}

function controlPlaneCluster(context: GenerateContext): ClusterSection {
  const { input, options, has } = context;
  const { certs, secrets } = input.secrets;
  const image = (name: string) => compact({ image: versioned(name, input.kubernetesVersion) });
  const scheduling = options.allowSchedulingOnControlPlanes === true;
  return compact({
    ...common(context),
    controlPlane: compact({ endpoint: input.endpoint, localAPIServerPort: options.localApiServerPort || undefined }),
    clusterName: input.clusterName,
    aescbcEncryptionSecret: has("secretboxEncryption") ? undefined : secrets.aescbcEncryptionSecret,
    secretboxEncryptionSecret: has("secretboxEncryption") ? secrets.secretboxEncryptionSecret : undefined,
    ca: encodeKeyPair(certs.k8s),
    aggregatorCA: encodeKeyPair(certs.k8sAggregator),
    serviceAccount: { key: pemToBase64(certs.k8sServiceAccount.key) },
    apiServer: compact({
      ...image(imageRepositories.apiServer),
      certSANs: apiServerSans(context),
      disablePodSecurityPolicy: has("podSecurityPolicySwitch") || undefined,
      admissionControl: has("podSecurityAdmission") ? [podSecurityAdmission] : undefined,
      auditPolicy: has("auditPolicy") ? auditPolicy : undefined,
    }),
    controllerManager: image(imageRepositories.controllerManager),
    proxy: image(imageRepositories.proxy),
    scheduler: image(imageRepositories.scheduler),
    etcd: { ca: encodeKeyPair(certs.etcd) },
    extraManifests: [],
    inlineManifests: [],
    allowSchedulingOnMasters: (scheduling && !has("allowSchedulingOnControlPlanes")) || undefined,
    allowSchedulingOnControlPlanes: (scheduling && has("allowSchedulingOnControlPlanes")) || undefined,
  });
}

function apiServerSans({ input, options, has }: GenerateContext): readonly string[] | undefined {
  const own = has("sansFromEndpoint") ? [parseGoUrl(input.endpoint).hostname] : [];
  const sans = [...own, ...(options.additionalSans ?? [])];
  return sans.length > 0 ? sans : undefined;
}
