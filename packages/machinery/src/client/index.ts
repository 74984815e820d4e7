export { callMetadata, type CallTarget } from "./call-metadata.ts";
export { connectApi, contextTls, insecureTls, type ApiConnection, type ConnectOptions } from "./connect.ts";
export { proxyFromEnvironment, type ChooseProxy } from "./proxy-environment.ts";
export { endpointHost, endpointTarget } from "./endpoint.ts";
export {
  filterMessages,
  joinErrors,
  nodeErrorOf,
  type Filtered,
  type NodeMessage,
  type NodeMessages,
} from "./filter-messages.ts";
