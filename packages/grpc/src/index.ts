// Calling.
export { createChannel, type Channel, type ChannelOptions } from "./channel.ts";
export { createClient, type Client, type ClientMethod, type ClientOptions } from "./client.ts";
export type { CallOptions, ClientCallContext, ClientInterceptor } from "./client-call.ts";
export type { ClientTls, ClientTlsMaterial } from "./client-tls.ts";
export { parseTarget, type Target } from "./target.ts";
export { openTunnel } from "./tunnel.ts";

// Serving.
export type { CallContext, RawHandler, RawServerCall, RequestObserver, ServerInterceptor } from "./context.ts";
export { healthService, serveHealth, type HealthService } from "./health.ts";
export type { MethodBounds } from "./method-bounds.ts";
export { callerKey } from "./internal/caller-connections.ts";
export type { Peer, PeerTls } from "./peer.ts";
export { reflectionService, type ReflectionService } from "./reflection.ts";
export { createServer, type GrpcServer, type ListenAddress, type Listening, type ServerOptions } from "./server.ts";
export type { ServerTls, ServerTlsMaterial } from "./server-tls.ts";
export type { MethodImpl, ServiceImpl } from "./service-impl.ts";

// Forwarding.
export { forwardCall, type ForwardRoute } from "./proxy.ts";
export { MetadataPatch } from "./metadata-patch.ts";
export { openRawCall, type CallStatus, type RawClientCall } from "./raw-call.ts";

// Both sides.
export type { TransportLimits } from "./limits.ts";
export { Metadata, type MetadataInit, type MetadataValue } from "./metadata.ts";
export { methodInfo, methodOfPath, type MethodInfo } from "./method.ts";
export { grpcDetailsOf, statusCodeOf, statusError, statusDetailsOf } from "./status.ts";
export { readErrorInfo } from "./error-info.ts";
