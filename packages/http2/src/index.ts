// A connection, without and with its socket.
export { Http2Connection } from "./connection.ts";
export type { ConnectionEvents, ConnectionOptions, FlowState } from "./connection-contract.ts";
export { attachSocket, type AttachedConnection, type SocketEvents, type SocketOptions } from "./socket.ts";
export { readBuffers, type ReadBuffers } from "./read-buffers.ts";
export { keepAlive, probeOnReuse, type KeepAlive } from "./keep-alive.ts";
export { defaultHttp2Limits, localPeerLimits, type Http2Limits } from "./limits.ts";

// Streams and their header lists.
export { nullSink, type Http2Stream, type StreamSink } from "./stream.ts";
export { Field, fieldsOf, fieldValue } from "./field.ts";

// Errors.
export { errorCodes } from "./constants.ts";
export { Http2Error } from "./errors.ts";
