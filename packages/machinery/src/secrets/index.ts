export type {
  ClusterSecrets,
  KubernetesSecrets,
  PartialBundle,
  RootCertificates,
  SecretsBundle,
  TrustdInfo,
} from "./bundle.ts";
export { secretsContract, type SecretsContract } from "./contract.ts";
export { bundleFromConfig } from "./from-config.ts";
export { bundleFromKubernetesPki } from "./from-kubernetes-pki.ts";
export { generateBundle, type GenerateOptions } from "./generate.ts";
export { describeLeaf, issueLeaf, type IssueOptions } from "./issue-leaf.ts";
export { leaves, type EtcdInput, type LeafInput, type LeafName, type LeafRow, type ServerInput } from "./leaves.ts";
export { createRoot, roots, type RootName } from "./roots.ts";
export { createToken } from "./token.ts";
export { bundleProblems, validateBundle } from "./validate.ts";
export { createWorkerRequest, signWorkerRequest } from "./worker-certificate.ts";
export { decodeBundle, encodeBundle } from "./yaml.ts";
