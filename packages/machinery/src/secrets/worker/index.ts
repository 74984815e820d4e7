// What trustd needs of the secrets, without the bundles and the YAML library they come with.
export { createWorkerRequest, signWorkerRequest } from "../worker-certificate.ts";
