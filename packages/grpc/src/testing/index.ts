export { createAuthority, type Authority, type Identity } from "./certificates.ts";
export { startConnectProxy, type ConnectProxy, type ConnectProxyOptions } from "./connect-proxy.ts";
export { bytes, Echo, echo, text, type EchoService } from "./echo.ts";
export { collect, createPair, failureOf, from, type Pair } from "./pair.ts";
