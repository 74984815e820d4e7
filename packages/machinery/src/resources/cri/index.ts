export { ImageCacheConfig, type ImageCacheConfigSpec } from "./image-cache-config.ts";
export { RegistryConfig, type RegistryConfigSpec } from "./registry-config.ts";
export { SeccompProfile, type SeccompProfileSpec } from "./seccomp-profile.ts";
