export { celText } from "./cel-text.ts";
export { compileCel } from "./compile.ts";
export { linkSelector, type LinkSelector, type LinkSelectorOptions } from "./link-selector.ts";
