import { createClient, type ClientOptions } from "@talos-ts/grpc";
import { connectApi, type ApiConnection } from "@talos-ts/machinery/client";
import { metadataKeys } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";

/**
 * Connects to the API of this machine through its own socket: no certificate, and nobody who would pass a call on to another node, so
 * the nodes that calls are for are left out. machined knows the calling service by its process; reading is all that is asked for.
 *
 * A connection that is lost is made again with the next call.
 */
export function connectMachined(socket: string): ApiConnection {
  const connection = connectApi({ endpoints: [`unix://${socket}`] });
  const clientOptions = (): ClientOptions => ({ metadata: { [metadataKeys.role]: roles.reader } });
  return {
    ...connection,
    clientOptions,
    service: (service) => createClient(service, connection.channel, clientOptions()),
  };
}
