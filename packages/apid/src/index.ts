export { route, type Route } from "./director.ts";
