export { humanBytes } from "@talos-ts/base";
