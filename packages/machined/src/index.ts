export { createServiceManager, type ServiceManager } from "./services/service-manager.ts";
