/** Describes what a caller may send with one call of a method. */
export interface RequestBounds {
  /** Largest request message, in bytes. */
  readonly maxReceiveBytes: number;
  /** Fields of a request message, those of messages inside it included. */
  readonly maxFields: number;
  /** Time for the whole request, or for the first message of an upload, in ms. */
  readonly requestTimeoutMs: number;
  /** The request is a stream of messages, of which one is held at a time. */
  readonly upload: boolean;
}

const ordinary: RequestBounds = {
  maxReceiveBytes: 64 * 1024,
  maxFields: 4096,
  requestTimeoutMs: 10_000,
  upload: false,
};

const uploads: RequestBounds = { ...ordinary, maxReceiveBytes: 4 * 1024 * 1024, upload: true };

/** Methods that need more than the others. */
const special: Readonly<Record<string, RequestBounds>> = {
  "/machine.MachineService/ApplyConfiguration": {
    ...ordinary,
    maxReceiveBytes: 4 * 1024 * 1024,
    requestTimeoutMs: 60_000,
  },
  "/machine.MachineService/MetaWrite": { ...ordinary, maxReceiveBytes: 512 * 1024, requestTimeoutMs: 30_000 },
  "/machine.DebugService/ContainerRun": uploads,
  "/machine.ImageService/Import": uploads,
  "/machine.MachineService/EtcdRecover": uploads,
  // A tool asks one question after the other over one call.
  "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": { ...ordinary, upload: true },
};

/** The bounds of a method (`/package.Service/Method`): 64 KiB of request within 10 s, unless it needs more. */
export function requestBounds(method: string): RequestBounds {
  return special[method] ?? ordinary;
}

/** Calls that one certificate (or one address without) may have open at a node. */
export const maxCallsPerCaller = 128;
/** Bytes of unfinished requests that one certificate (or one address without) may have at a node. */
export const maxRequestBytesPerCaller = 8 * 1024 * 1024;
/** The same two for another node that forwards: each caller behind it was counted there. */
export const forwarderFactor = 8;
