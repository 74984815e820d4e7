import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { Handler } from "./handler.ts";

export const metaWrite: Handler<"metaWrite"> = (machine) => () => refuseWithoutInstaller(machine);

export const metaDelete: Handler<"metaDelete"> = (machine) => () => refuseWithoutInstaller(machine);
