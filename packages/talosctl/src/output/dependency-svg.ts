import type { DependencyGraph, GraphArrow, GraphNode } from "./dependency-graph.ts";
import { layOut, type Placed } from "./graph-layout.ts";

/** Room for arrows between two columns. */
const gap = 90;
const maxBoxWidth = 400;
const rowHeight = 24;
const boxHeight = 18;
const letterWidth = 6.6;
const margin = 20;

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

const boxWidth = (name: string): number => Math.min(name.length * letterWidth + 12, maxBoxWidth);

/** A node with its corner in the picture. */
interface Drawn {
  readonly left: number;
  readonly top: number;
}

/** Columns are as wide as their widest box. */
function corners(places: ReadonlyMap<string, Placed>): ReadonlyMap<string, Drawn> {
  const widths: number[] = [];
  for (const [name, { column }] of places) widths[column] = Math.max(widths[column] ?? 0, boxWidth(name));
  const lefts = widths.map((_width, column) =>
    widths.slice(0, column).reduce((left, width) => left + width + gap, margin),
  );
  return new Map(
    [...places].map(([name, { column, row }]) => [
      name,
      { left: lefts[column] ?? margin, top: margin + row * rowHeight },
    ]),
  );
}

/** Draws a graph as a picture for a browser: columns along the data, from left to right. */
export function renderSvg({ nodes, arrows }: DependencyGraph): string {
  const names = nodes.map(({ name }) => name);
  const places = corners(layOut(names, arrows));
  const right = Math.max(0, ...[...places].map(([name, { left }]) => left + boxWidth(name)));
  const bottom = Math.max(0, ...[...places.values()].map(({ top }) => top + boxHeight));
  const [width, height] = [Math.ceil(right) + margin, bottom + margin];
  const size = `width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="11">`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
    `<rect width="100%" height="100%" fill="white"/>`,
    ...arrows.flatMap((arrow) => drawArrow(arrow, places.get(arrow.from), places.get(arrow.to))),
    ...nodes.flatMap((node) => drawNode(node, places.get(node.name))),
    "</svg>",
    "",
  ].join("\n");
}

function drawNode({ name, controller }: GraphNode, place: Drawn | undefined): readonly string[] {
  if (place === undefined) return [];
  const [fill, corner] = controller ? ["white", 0] : ["#e0eeee", 6];
  const box = `x="${place.left.toFixed(0)}" y="${String(place.top)}" width="${boxWidth(name).toFixed(0)}" height="${String(boxHeight)}"`;
  const text = `<text x="${(place.left + 6).toFixed(0)}" y="${String(place.top + 13)}">${escape(shorten(name))}</text>`;
  return [
    `<g><title>${escape(name)}</title><rect ${box} rx="${String(corner)}" fill="${fill}" stroke="black"/>${text}</g>`,
  ];
}

function shorten(name: string): string {
  const letters = Math.floor((maxBoxWidth - 12) / letterWidth);
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}

const strokes: Readonly<Record<string, string>> = {
  bold: 'stroke-width="2"',
  solid: 'stroke-width="1"',
  dotted: 'stroke-width="1" stroke-dasharray="2 3"',
};

function drawArrow(arrow: GraphArrow, from: Drawn | undefined, to: Drawn | undefined): readonly string[] {
  if (from === undefined || to === undefined) return [];
  const start = [from.left + boxWidth(arrow.from), from.top + boxHeight / 2] as const;
  const end = [to.left, to.top + boxHeight / 2] as const;
  const bend = Math.max(60, Math.abs(end[0] - start[0]) / 2);
  const curve = `M${start[0].toFixed(0)} ${start[1].toFixed(0)}C${(start[0] + bend).toFixed(0)} ${start[1].toFixed(0)} ${(end[0] - bend).toFixed(0)} ${end[1].toFixed(0)} ${end[0].toFixed(0)} ${end[1].toFixed(0)}`;
  const title = `${arrow.from} → ${arrow.to}${arrow.label === "" ? "" : ` (${arrow.label})`}`;
  return [
    `<path d="${curve}" fill="none" stroke="#555" stroke-opacity="0.6" ${strokes[arrow.style] ?? ""} marker-end="url(#arrow)"><title>${escape(title)}</title></path>`,
  ];
}
