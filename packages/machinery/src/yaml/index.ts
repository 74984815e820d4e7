export { writeYaml } from "./write-yaml.ts";
