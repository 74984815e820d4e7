import type { ServiceImpl } from "@talos-ts/grpc";
import type { ImageService } from "@talos-ts/proto/machine/image";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { importImage } from "./import.ts";
import { list } from "./list.ts";
import { pull } from "./pull.ts";
import { remove } from "./remove.ts";
import { verify } from "./verify.ts";

/** Images of both containerds. */
export function imageService(machine: ApiDependencies): ServiceImpl<typeof ImageService> {
  return {
    list: list(machine),
    pull: pull(machine),
    import: importImage(machine),
    remove: remove(machine),
    verify: verify(machine),
  };
}
