export * from "./tcp-upstream.ts";
export * from "./temporary-directory.ts";
