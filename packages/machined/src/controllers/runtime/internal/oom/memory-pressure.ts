import { isCode } from "@talos-ts/base";
import type { TextFiles } from "@talos-ts/linux";
import type { CgroupClass, OOMTriggerValues } from "@talos-ts/machinery/resources/cel";
import { readSize } from "./read-size.ts";

const kinds = ["some", "full"] as const;
const spans = ["avg10", "avg60", "avg300", "total"] as const;
const usages = { memory_current: "memory.current", memory_peak: "memory.peak", memory_max: "memory.max" } as const;

/** Control groups whose pressure is looked at; that of the whole machine has no class. */
const groups: readonly { readonly path: string; readonly class?: CgroupClass }[] = [
  { path: "" },
  { path: "/init", class: "System" },
  { path: "/system", class: "System" },
  { path: "/podruntime", class: "Podruntime" },
  { path: "/kubepods/besteffort", class: "Besteffort" },
  { path: "/kubepods/burstable", class: "Burstable" },
  { path: "/kubepods/guaranteed", class: "Guaranteed" },
];

/** Takes samples of memory pressure and usage; each has the changes since the one before, per second. */
export interface PressureSampler {
  /** @throws OsError `file/enoent` when the kernel has no pressure information */
  sample(): Promise<Pick<OOMTriggerValues, "root" | "perClass">>;
}

/** @param intervalMs Time between samples. */
export function createPressureSampler(
  files: Pick<TextFiles, "read">,
  cgroupRoot: string,
  intervalMs: () => number,
): PressureSampler {
  const before = new Map<string, number>();

  function change(key: string, value: number): number {
    const last = before.get(key);
    before.set(key, value);
    return last === undefined ? 0 : (value - last) / (intervalMs() / 1000);
  }

  return {
    async sample() {
      const root: Record<string, number> = {};
      const perClass: Record<string, Partial<Record<CgroupClass, number>>> = {};
      const add = (name: string, of: CgroupClass | undefined, path: string, value: number): void => {
        const changed = change(`${path} ${name}`, value);
        if (of === undefined) {
          Object.assign(root, { [name]: value, [`d_${name}`]: changed });
          return;
        }
        for (const [prefix, number] of [
          ["qos_", value],
          ["d_qos_", changed],
        ] as const) {
          const values = (perClass[`${prefix}${name}`] ??= {});
          values[of] = (values[of] ?? 0) + number;
        }
      };
      for (const { path, class: of } of groups) {
        const pressure = await readPressure(files, `${cgroupRoot}${path}`, of !== undefined);
        for (const kind of kinds) {
          for (const span of spans) add(`memory_${kind}_${span}`, of, path, pressure.get(`${kind} ${span}`) ?? 0);
        }
        if (of === undefined) continue;
        for (const [name, file] of Object.entries(usages)) {
          add(name, of, path, (await readSize(files, `${cgroupRoot}${path}/${file}`)) ?? 0);
        }
      }
      return { root, perClass };
    },
  };
}

/** Reads `memory.pressure` as values by kind and span, as `full avg10`. */
async function readPressure(
  files: Pick<TextFiles, "read">,
  folder: string,
  mayBeMissing: boolean,
): Promise<ReadonlyMap<string, number>> {
  let text: string;
  try {
    text = await files.read(`${folder}/memory.pressure`);
  } catch (err) {
    // A class without pods has no group, nor has a machine that boots.
    if (mayBeMissing && isCode(err, "file/enoent")) return new Map();
    throw err;
  }
  const lines = text.trim().split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [kind = "", ...values] = line.split(" ");
      return values.map((value): readonly [string, number] => {
        const [span = "", number] = value.split("=");
        return [`${kind} ${span}`, Number(number)];
      });
    }),
  );
}
