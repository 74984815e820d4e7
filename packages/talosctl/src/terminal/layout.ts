import type { Area } from "./cell-buffer.ts";

/** Size of a part along one direction: cells, or a share of what is left, as in `{ share: 2 }`. */
export type Size = number | { readonly share: number };

/** Lengths of parts that fill `total`: fixed ones first, in order and as far as there is room; shares divide the rest. */
export function divide(total: number, sizes: readonly Size[]): readonly number[] {
  let left = Math.max(0, total);
  const fixed = sizes.map((size) => {
    if (typeof size !== "number") return 0;
    const taken = Math.min(left, Math.max(0, size));
    left -= taken;
    return taken;
  });
  let shares = sizes.reduce<number>((sum, size) => sum + (typeof size === "number" ? 0 : size.share), 0);
  return sizes.map((size, index) => {
    if (typeof size === "number") return fixed[index] ?? 0;
    const taken = shares === 0 ? 0 : Math.round((left * size.share) / shares);
    left -= taken;
    shares -= size.share;
    return taken;
  });
}

/** Parts of an area from top to bottom. */
export function rows(area: Area, sizes: readonly Size[]): readonly Area[] {
  let y = area.y;
  return divide(area.height, sizes).map((height) => {
    y += height;
    return { x: area.x, y: y - height, width: area.width, height };
  });
}

/** Parts of an area from left to right. */
export function columns(area: Area, sizes: readonly Size[]): readonly Area[] {
  let x = area.x;
  return divide(area.width, sizes).map((width) => {
    x += width;
    return { x: x - width, y: area.y, width, height: area.height };
  });
}
