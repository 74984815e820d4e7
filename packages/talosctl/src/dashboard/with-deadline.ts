import { createClient, type ClientInterceptor } from "@talos-ts/grpc";
import type { ApiConnection } from "@talos-ts/machinery/client";

/** The same connection; every call through it fails after so long, so that a silent node holds up nobody. */
export function withDeadline(connection: ApiConnection, timeoutMs: number): ApiConnection {
  const limit: ClientInterceptor = async (context, next) => {
    context.timeoutMs ??= timeoutMs;
    await next();
  };
  const clientOptions: ApiConnection["clientOptions"] = (target) => {
    const options = connection.clientOptions(target);
    return { ...options, interceptors: [limit, ...(options.interceptors ?? [])] };
  };
  return {
    ...connection,
    clientOptions,
    service: (service, target) => createClient(service, connection.channel, clientOptions(target)),
  };
}
