export { cached, cacheDirectory, cacheKey, keepNewest, type Cached } from "./files/cache.ts";
export { exists } from "./files/exists.ts";
export { lockFile } from "./files/file-lock.ts";
export { makeFolder } from "./files/make-folder.ts";
export { readOptional } from "./files/read-optional.ts";
export { writeDurably } from "./files/write-durably.ts";
export { inStage, silent, type Progress, type ProgressEvent } from "./tools/progress.ts";
export { baseEnvironment, runTool, type ToolOptions, type ToolResult } from "./tools/run-tool.ts";
