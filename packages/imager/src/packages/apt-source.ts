/** One archive of Debian packages, as the host's apt knows it. */
export interface AptSource {
  readonly uri: string;
  readonly suites: readonly string[];
  readonly components: readonly string[];
  readonly signedBy: string | undefined;
}

/** Used when the host names no Debian archive of its own. */
export const publicDebian: AptSource = {
  uri: "http://deb.debian.org/debian",
  suites: [],
  components: ["main"],
  signedBy: undefined,
};

/** Reads the one-line format of `sources.list(5)`; lines that are not binary sources are skipped. */
export function parseSourcesList(text: string): AptSource[] {
  return text.split("\n").flatMap((line) => {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (match === null) return [];
    const [, options = "", uri = "", suite = "", components = ""] = match;
    const signedBy = /(?:^|\s)signed-by=(\S+)/.exec(options)?.[1];
    return [{ uri: trimSlash(uri), suites: [suite], components: words(components), signedBy }];
  });
}

/** Reads the deb822 format of `sources.list(5)`; disabled and source-only stanzas are skipped. */
export function parseDeb822Sources(text: string): AptSource[] {
  return text
    .split(/\n\s*\n/)
    .map(parseStanza)
    .flatMap((fields) => {
      const types = words(fields.get("types"));
      if (!types.includes("deb") || fields.get("enabled")?.toLowerCase() === "no") return [];
      const signedBy = fields.get("signed-by");
      return words(fields.get("uris")).map((uri) => ({
        uri: trimSlash(uri),
        suites: words(fields.get("suites")),
        components: words(fields.get("components")),
        // A key written into the stanza itself spans lines; only paths can be handed on.
        signedBy: signedBy?.startsWith("/") === true ? signedBy : undefined,
      }));
    });
}

/**
 * The archive to take another Debian release from: the one the host takes its own release from.
 *
 * @param codename The host's own release (`VERSION_CODENAME`); it tells the Debian archive from third-party ones.
 */
export function chooseArchive(sources: readonly AptSource[], codename: string): AptSource {
  return (
    sources.find((source) => source.suites.includes(codename) && source.components.includes("main")) ?? publicDebian
  );
}

function parseStanza(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current = "";
  for (const line of stanza.split("\n")) {
    if (line.startsWith("#")) continue;
    const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
    if (match !== null) {
      current = (match[1] ?? "").toLowerCase();
      fields.set(current, (match[2] ?? "").trim());
    } else if (/^\s/.test(line) && current !== "") {
      fields.set(current, `${fields.get(current) ?? ""} ${line.trim()}`.trim());
    }
  }
  return fields;
}

function words(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/).filter((word) => word !== "");
}

function trimSlash(uri: string): string {
  return uri.replace(/\/+$/, "");
}
