export {
  contextCertificate,
  contextCredentials,
  createTalosconfig,
  expiryWarning,
  type ContextCertificate,
  type ContextCredentials,
} from "./credentials.ts";
export { decodeTalosconfig } from "./decode.ts";
export {
  addContext,
  currentContextName,
  matchContexts,
  removeContexts,
  setEndpoints,
  setNodes,
  useContext,
} from "./edit.ts";
export { encodeTalosconfig } from "./encode.ts";
export { openTalosconfig, saveTalosconfig, type TalosconfigFile } from "./file.ts";
export { contextInfo, type ContextInfo } from "./info.ts";
export { formatRename, mergeTalosconfig, type ContextRename } from "./merge.ts";
export { emptyConfig, emptyContext, type TalosAuth, type TalosConfig, type TalosContext } from "./model.ts";
export { talosconfigPaths, talosDirectory, type LookupEnvironment, type TalosconfigPath } from "./paths.ts";
export { relativeTime } from "./relative-time.ts";
export { resolveContext, resolveEndpoints } from "./resolve.ts";
