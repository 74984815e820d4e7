import { isMap, isSeq, type Node, type YAMLMap } from "yaml";
import type { Position } from "../config.ts";
import type { Source } from "../../yaml/source.ts";
import type { Path } from "./problem.ts";
import type { Reader } from "./reader.ts";

/** Finds where a path, or as much of it as exists, stands in the source. */
export function locator(source: Source, root: YAMLMap, reader: Reader): (path: Path) => Position {
  return (path) => {
    let node: Node | null = root;
    let place: Node = root;
    for (const step of path) {
      const target: Node | null = reader.follow(node, path);
      if (isMap(target)) {
        const entry = reader.entries(target, path).find(({ key }) => key === step);
        if (entry === undefined) break;
        [node, place] = [entry.value, entry.keyNode];
      } else if (isSeq(target) && typeof step === "number" && target.items[step] !== undefined) {
        node = target.items[step] as Node;
        place = node;
      } else break;
    }
    return source.position(place.range?.[0] ?? 0);
  };
}
