export { celText } from "./cel-text.ts";
export { compileCel } from "./compile.ts";
export { diskSelector, type DiskSelector, type DiskSelectorOptions } from "./disk-selector.ts";
export {
  cgroupClasses,
  oomRanking,
  oomTrigger,
  type CgroupClass,
  type OOMCgroup,
  type OOMTriggerValues,
} from "./oom-expressions.ts";
export { linkSelector, type LinkSelector, type LinkSelectorOptions } from "./link-selector.ts";
export { volumeSelector, type VolumeSelector } from "./volume-selector.ts";
