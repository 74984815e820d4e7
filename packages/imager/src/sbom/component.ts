/** One part of the image, as a row of the bill of materials. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** SPDX licence expression; undefined when the source of the component states none that is understood. */
  readonly license?: string;
  /** Package URL, as https://github.com/package-url/purl-spec defines it. */
  readonly purl: string;
}
