import { toBinary, type DescFile, type DescMessage, type DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { errorKinds } from "@talos-ts/base";
import { ServerReflection, type ServerReflectionRequest } from "@talos-ts/proto/grpc/reflection";
import type { ServiceImpl } from "./service-impl.ts";

/** Implementation of `grpc.reflection.v1.ServerReflection`. */
export interface ReflectionService {
  readonly desc: typeof ServerReflection;
  readonly impl: ServiceImpl<typeof ServerReflection>;
}

/**
 * `grpc.reflection.v1`: tells tools what a server can be asked.
 *
 * A function is asked at each call, so that services added later are seen: `reflectionService(() => server.services)`.
 */
export function reflectionService(
  services: readonly DescService[] | (() => readonly DescService[]),
): ReflectionService {
  const current = typeof services === "function" ? services : () => services;

  function answer(request: ServerReflectionRequest): ReturnType<typeof filesAnswer> | object {
    const index = createIndex(current());
    const { messageRequest } = request;
    switch (messageRequest.case) {
      case "listServices": {
        const service = [...new Set(current().map((each) => each.typeName))].sort().map((name) => ({ name }));
        return { case: "listServicesResponse", value: { service } };
      }
      case "fileByFilename":
        return filesAnswer(index.files.get(messageRequest.value), messageRequest.value);
      case "fileContainingSymbol":
        return filesAnswer(index.symbols.get(messageRequest.value), messageRequest.value);
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = messageRequest.value;
        const key = `${containingType}#${String(extensionNumber)}`;
        return filesAnswer(index.extensions.get(key), key);
      }
      case "allExtensionNumbersOfType": {
        const baseTypeName = messageRequest.value;
        if (!index.symbols.has(baseTypeName)) return notFound(baseTypeName);
        const extensionNumber = [...index.extensions.keys()]
          .filter((key) => key.startsWith(`${baseTypeName}#`))
          .map((key) => Number(key.slice(baseTypeName.length + 1)));
        return { case: "allExtensionNumbersResponse", value: { baseTypeName, extensionNumber } };
      }
      case undefined:
        return failure("invalid-argument", "Expected a question in the reflection request, got none");
      default:
        return messageRequest satisfies never;
    }
  }

  return {
    desc: ServerReflection,
    impl: {
      async *serverReflectionInfo(requests) {
        for await (const originalRequest of requests) {
          yield {
            validHost: originalRequest.host,
            originalRequest,
            messageResponse: answer(originalRequest) as ReturnType<typeof filesAnswer>,
          };
        }
      },
    },
  };
}

interface Index {
  readonly files: ReadonlyMap<string, DescFile>;
  readonly symbols: ReadonlyMap<string, DescFile>;
  readonly extensions: ReadonlyMap<string, DescFile>;
}

function createIndex(services: readonly DescService[]): Index {
  const files = new Map<string, DescFile>();
  const symbols = new Map<string, DescFile>();
  const extensions = new Map<string, DescFile>();

  const addMessage = (message: DescMessage): void => {
    symbols.set(message.typeName, message.file);
    for (const nested of message.nestedMessages) addMessage(nested);
    for (const nested of message.nestedEnums) symbols.set(nested.typeName, message.file);
  };
  const addFile = (file: DescFile): void => {
    const { name } = file.proto;
    if (files.has(name)) return;
    files.set(name, file);
    for (const message of file.messages) addMessage(message);
    for (const item of file.enums) symbols.set(item.typeName, file);
    for (const service of file.services) {
      symbols.set(service.typeName, file);
      for (const method of service.methods) symbols.set(`${service.typeName}.${method.name}`, file);
    }
    for (const extension of file.extensions) {
      symbols.set(extension.typeName, file);
      extensions.set(`${extension.extendee.typeName}#${String(extension.number)}`, file);
    }
    for (const dependency of file.dependencies) addFile(dependency);
  };
  for (const service of services) addFile(service.file);
  return { files, symbols, extensions };
}

/** A file and all it imports, the file first. */
function filesAnswer(file: DescFile | undefined, name: string) {
  if (file === undefined) return notFound(name);
  const seen = new Set<DescFile>();
  const add = (each: DescFile): void => {
    if (seen.has(each)) return;
    seen.add(each);
    each.dependencies.forEach(add);
  };
  add(file);
  const fileDescriptorProto = [...seen].map((each) => toBinary(FileDescriptorProtoSchema, each.proto));
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } } as const;
}

function notFound(name: string) {
  return failure("not-found", `Unknown symbol or file "${name}"`);
}

function failure(kind: keyof typeof errorKinds, errorMessage: string) {
  return { case: "errorResponse", value: { errorCode: errorKinds[kind], errorMessage } } as const;
}
