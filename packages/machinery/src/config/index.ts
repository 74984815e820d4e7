// For users: reading, checking, writing and making configurations.

export { makeConfig, makeDocument, type Config, type ConfigDocument, type Position } from "./config.ts";
export { describeProblems, loadConfig, readConfig, type LoadResult } from "./load/load.ts";
export { formatPath, formatProblem, type Path, type Problem } from "./load/problem.ts";
export { configText, encodeConfig, encodeDocument, type EncodeOptions } from "./encode/encode.ts";
export {
  documentLabel,
  validateConfig,
  validationMessage,
  type ValidateOptions,
  type ValidationResult,
} from "./validate/validate.ts";
export type { ExpressionChecker, ExpressionEnvironment, ValidationMode } from "./validate/check.ts";
export { generateConfig, type GenerateInput, type GenerateOptions } from "./generate/generate.ts";
export {
  currentContract,
  parseContract,
  supports,
  type ContractFeature,
  type VersionContract,
} from "./generate/contract.ts";
export type { PemKeyPair, SecretsBundle } from "./generate/secrets-bundle.ts";
export type { ClusterConfig, MachineConfig, MainConfig } from "./documents/v1alpha1/config.ts";
export { isControlPlane, machineType, type MachineType } from "./validate/v1alpha1/machine-type.ts";
export { durationMs, formatGoDuration, parseGoDuration } from "./schema/go-duration.ts";

// For other packages: what the documents are made of.

export { documentKinds, documentSchemas, findDocument } from "./documents/index.ts";
export type { DocumentOf, DocumentSchema } from "./schema/document.ts";
