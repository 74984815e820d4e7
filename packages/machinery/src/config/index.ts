// For users: reading, checking, writing and making configurations.

export { makeConfig, makeDocument, type Config, type ConfigDocument, type Position } from "./config.ts";
export { describeProblems, loadConfig, readConfig, type LoadResult } from "./load/load.ts";
export { formatPath, formatProblem, type Path, type Problem } from "./load/problem.ts";
export { configText, encodeConfig, encodeDocument, type EncodeOptions } from "./encode/encode.ts";
export { validateConfig, validationMessage, type ValidateOptions, type ValidationResult } from "./validate/validate.ts";
export type { ExpressionChecker, ExpressionEnvironment } from "./validate/check.ts";
export { generateConfig, type GenerateInput, type GenerateOptions } from "./generate/generate.ts";
export {
  currentContract,
  parseContract,
  supports,
  type ContractFeature,
  type VersionContract,
} from "./generate/contract.ts";
export type { ClusterSection, MachineSection, MainConfig } from "./documents/v1alpha1/config.ts";
export { isControlPlane, parseMachineType, type MachineTypeName } from "./validate/v1alpha1/machine-type.ts";

// For other packages: what the documents are made of.

export * from "./documents/index.ts";
export type { DocumentOf, DocumentSchema } from "./schema/document.ts";

// For users: changing configurations.

export { applyPatches } from "./patch/apply.ts";
export { changeMain } from "./patch/change-main.ts";
export { loadPatch, loadPatches } from "./patch/load-patch.ts";
export type { JsonPatch, Patch, StrategicPatch } from "./patch/patch.ts";
export { encodePreserving } from "./encode/preserve.ts";
export { diffConfigs, unifiedDiff, type DiffOptions } from "./apply/diff.ts";
export { networkChanges } from "./apply/network-changes.ts";
export { immediatePaths, rebootPaths } from "./apply/apply-mode.ts";
export { identityChanges, type IdentityField } from "./apply/identity.ts";
export { redactConfig } from "./access/redact.ts";
export { validateWithExpressions } from "./validate/expressions.ts";

// For users: what a configuration asks for in vain.

export { findUnsupported } from "./support/find-unsupported.ts";
export { unsupportedSettings, type UnsupportedSetting } from "./support/unsupported.ts";

// For controllers: settings with their defaults, wherever they were made.

export { documentOf, documentsOf } from "./access/documents.ts";
export { defaultImage, imagesOf, type ImageName } from "./access/images.ts";
export { imageRuleOf, imageRulesOf, type ImageRule } from "./access/image-verification.ts";
export * from "./access/machine.ts";
export { auditPolicy as defaultAuditPolicy } from "./generate/defaults.ts";
export * from "./access/network.ts";
export * from "./access/registries.ts";
export { partitionSizes, type PartitionSizes } from "./access/volumes.ts";
export { protectedKubeletFields } from "./validate/v1alpha1/machine.ts";

// For tools: what is derived from the descriptions.

export { jsonSchema } from "./schema/json-schema.ts";
export { referencePages } from "./schema/reference-pages.ts";
