/** Descriptions of the services of system extensions, one YAML file each. */
export const serviceSpecFolder = "/usr/local/etc/containers";
/** Root file systems of their containers, by name of the service. */
export const serviceRootFolder = "/usr/local/lib/containers";
/** List of the system extensions of the image. */
export const extensionsFile = "/etc/extensions.yaml";
/** Files of `ExtensionServiceConfig` documents, by name of the service. */
export const configFolder = "/system/extensions/config";
/** Writable layers over the root file systems. */
export const overlayFolder = "/system/extensions/overlays";

/** Name of the file in which the content for a path in the container is kept. */
export const configFileName = (mountPath: string): string => encodeURIComponent(mountPath);

/** Id of the service of this name. */
export const serviceId = (name: string): string => `ext-${name}`;
