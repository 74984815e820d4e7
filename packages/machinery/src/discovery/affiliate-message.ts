import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { hostPort, OsError } from "@talos-ts/base";
import { AffiliateSchema, EndpointSchema, type IPPrefix, type IPPrefixSchema } from "@talos-ts/proto/discovery/client";
import { Affiliate, type AffiliateSpec } from "../resources/cluster/index.ts";
import type { MachineTypeName } from "../resources/enums/machine.ts";
import { formatIp, parseIp } from "../resources/values/ip-text.ts";
import { badEndpoint } from "./seal.ts";

// What members tell each other, as bytes. Endpoints travel apart from the rest, because others add to them.

const machineTypes: Readonly<Record<string, MachineTypeName>> = {
  init: "init",
  controlplane: "controlplane",
  worker: "worker",
};

/** An affiliate without its endpoints. */
export function encodeAffiliate(spec: AffiliateSpec): Uint8Array {
  const { kubespan, controlPlane } = spec;
  return toBinary(
    AffiliateSchema,
    create(AffiliateSchema, {
      nodeId: spec.nodeId,
      addresses: spec.addresses.map(parseIp),
      hostname: spec.hostname,
      nodename: spec.nodename,
      machineType: spec.machineType,
      operatingSystem: spec.operatingSystem,
      ...(kubespan.publicKey !== "" && {
        kubespan: {
          publicKey: kubespan.publicKey,
          address: parseIp(kubespan.address),
          additionalAddresses: kubespan.additionalAddresses.map(prefixOf),
          excludeAdvertisedAddresses: kubespan.excludeAdvertisedNetworks.map(prefixOf),
        },
      }),
      ...(controlPlane !== undefined && { controlPlane: { apiServerPort: controlPlane.port } }),
    }),
  );
}

/**
 * Parts that make no sense are left out, as a later release may write them.
 *
 * @throws `discovery/bad-affiliate` when the whole makes none.
 */
export function decodeAffiliate(bytes: Uint8Array, endpoints: readonly string[] = []): AffiliateSpec {
  const { kubespan, controlPlane, ...message } = parseAffiliate(bytes);
  return Affiliate.spec({
    nodeId: message.nodeId,
    addresses: message.addresses.flatMap(addressOf),
    hostname: message.hostname,
    nodename: message.nodename,
    operatingSystem: message.operatingSystem,
    machineType: machineTypes[message.machineType] ?? "unknown",
    controlPlane: controlPlane === undefined ? undefined : { port: controlPlane.apiServerPort },
    ...(kubespan !== undefined && {
      kubespan: {
        publicKey: kubespan.publicKey,
        address: addressOf(kubespan.address)[0] ?? "",
        additionalAddresses: kubespan.additionalAddresses.flatMap(prefixText),
        excludeAdvertisedNetworks: kubespan.excludeAdvertisedAddresses.flatMap(prefixText),
        endpoints,
      },
    }),
  });
}

/** Of `10.5.0.2:51820`. */
export function encodeEndpoint(endpoint: string): Uint8Array {
  const [, v6, v4, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(endpoint) ?? [];
  return toBinary(EndpointSchema, create(EndpointSchema, { ip: parseIp(v6 ?? v4 ?? ""), port: Number(port ?? 0) }));
}

/** @throws `discovery/bad-endpoint` */
export function decodeEndpoint(bytes: Uint8Array): string {
  const { ip, port } = parseEndpoint(bytes);
  const [address] = addressOf(ip);
  if (address === undefined) throw badEndpoint(`${String(ip.length)} bytes are not an address`);
  if (port === 0 || port > 0xffff) throw badEndpoint(`${String(port)} is not a port`);
  return hostPort(address, port);
}

/** The address in bytes, as a list of one; no other sizes have a meaning between machines. */
export function addressOf(bytes: Uint8Array): readonly string[] {
  return bytes.length === 4 || bytes.length === 16 ? [formatIp(bytes)] : [];
}

function prefixOf(text: string): MessageInitShape<typeof IPPrefixSchema> {
  const [address = "", bits = ""] = text.split("/", 2);
  return { ip: parseIp(address), bits: Number(bits) };
}

function prefixText({ ip, bits }: IPPrefix): readonly string[] {
  return bits > ip.length * 8 ? [] : addressOf(ip).map((address) => `${address}/${String(bits)}`);
}

function parseAffiliate(bytes: Uint8Array): ReturnType<typeof fromBinary<typeof AffiliateSchema>> {
  try {
    return fromBinary(AffiliateSchema, bytes);
  } catch (err) {
    throw new OsError({
      kind: "data-loss",
      code: "discovery/bad-affiliate",
      message: "Cannot decode an affiliate: the data that a member published is not an affiliate message",
      cause: err,
    });
  }
}

function parseEndpoint(bytes: Uint8Array): ReturnType<typeof fromBinary<typeof EndpointSchema>> {
  try {
    return fromBinary(EndpointSchema, bytes);
  } catch (err) {
    throw badEndpoint("the bytes are no endpoint", err);
  }
}
