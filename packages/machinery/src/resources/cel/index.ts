export { celText } from "./cel-text.ts";
export { compileCel } from "./compile.ts";
