import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { ServerReflection, type ServerReflectionRequestSchema } from "@talos-ts/proto/grpc/reflection";
import { createClient } from "./client.ts";
import { reflectionService } from "./reflection.ts";
import { collect, createPair, from } from "./testing/pair.ts";

async function ask(...requests: MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"][]) {
  await using pair = await createPair();
  const reflection = reflectionService(() => pair.server.services);
  pair.server.addService(reflection.desc, reflection.impl);
  const client = createClient(ServerReflection, pair.channel);
  const questions = requests.map((messageRequest) => (messageRequest === undefined ? {} : { messageRequest }));
  const answers = await collect(client.serverReflectionInfo(from(...questions)));
  return answers.map((answer) => answer.messageResponse);
}

describe("reflectionService", () => {
  it("lists the services of the server", async () => {
    const [answer] = await ask({ case: "listServices", value: "" });
    assert.equal(answer?.case, "listServicesResponse");
    assert.deepEqual(
      answer.value.service.map(({ name }) => name),
      ["grpc.reflection.v1.ServerReflection", "interop.Echo"],
    );
  });

  it("gives the file of a symbol with all it imports", async () => {
    const answers = await ask(
      { case: "fileContainingSymbol", value: "interop.Echo.Unary" },
      { case: "fileByFilename", value: "google/protobuf/wrappers.proto" },
    );
    const names = answers.map((answer) =>
      answer.case === "fileDescriptorResponse"
        ? answer.value.fileDescriptorProto.map((file) => fromBinary(FileDescriptorProtoSchema, file).name)
        : answer.case,
    );
    assert.deepEqual(names, [
      ["interop/echo.proto", "google/protobuf/wrappers.proto"],
      ["google/protobuf/wrappers.proto"],
    ]);
  });

  it("answers what it does not know with an error and goes on", async () => {
    const answers = await ask(
      { case: "fileContainingSymbol", value: "no.Such" },
      { case: "allExtensionNumbersOfType", value: "no.Such" },
      undefined,
      { case: "allExtensionNumbersOfType", value: "interop.Marker" },
    );
    assert.deepEqual(
      answers.map((answer) => (answer.case === "errorResponse" ? answer.value.errorCode : answer.case)),
      [5, 5, 3, "allExtensionNumbersResponse"],
    );
  });
});
