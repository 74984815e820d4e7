/** Licence names of Debian copyright files that differ from the SPDX identifier, in lower case. */
const spdxNames: Readonly<Record<string, string>> = {
  "apache-2": "Apache-2.0",
  "apache-2.0": "Apache-2.0",
  artistic: "Artistic-1.0-Perl",
  "bsd-2-clause": "BSD-2-Clause",
  "bsd-3-clause": "BSD-3-Clause",
  "bsd-4-clause": "BSD-4-Clause",
  expat: "MIT",
  "gpl-1": "GPL-1.0-only",
  "gpl-1+": "GPL-1.0-or-later",
  "gpl-2": "GPL-2.0-only",
  "gpl-2.0": "GPL-2.0-only",
  "gpl-2+": "GPL-2.0-or-later",
  "gpl-2.0+": "GPL-2.0-or-later",
  "gpl-3": "GPL-3.0-only",
  "gpl-3+": "GPL-3.0-or-later",
  isc: "ISC",
  "lgpl-2": "LGPL-2.0-only",
  "lgpl-2+": "LGPL-2.0-or-later",
  "lgpl-2.1": "LGPL-2.1-only",
  "lgpl-2.1+": "LGPL-2.1-or-later",
  "lgpl-3": "LGPL-3.0-only",
  "lgpl-3+": "LGPL-3.0-or-later",
  mit: "MIT",
  "mpl-2.0": "MPL-2.0",
  x11: "X11",
  zlib: "Zlib",
};

/**
 * Reads the licence of a Debian package from its copyright file (DEP 5, machine-readable form): that of the stanza for all files.
 *
 * @returns an SPDX expression, or undefined when the file has another form or names a licence that SPDX does not know
 */
export function debianLicense(copyright: string): string | undefined {
  if (!/^Format:/im.test(copyright.slice(0, 200))) return undefined;
  const stanzas = copyright.split(/\n[ \t]*\n/);
  const all = stanzas.find((stanza) => /^Files:[ \t]*\n?[ \t]*\*[ \t]*$/m.test(stanza));
  const name = /^License:[ \t]*(\S.*)$/m.exec(all ?? "")?.[1]?.trim();
  return name === undefined ? undefined : expression(name);
}

function expression(text: string): string | undefined {
  const words = text.split(/\s+(or|and)\s+/);
  const parts = words.map((word, index) => (index % 2 === 1 ? word.toUpperCase() : spdxNames[word.toLowerCase()]));
  return parts.includes(undefined) ? undefined : parts.join(" ");
}
