export { runApid, type ApidOptions } from "./apid.ts";
export { route, type Route } from "./director.ts";
