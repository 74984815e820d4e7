/** Notes for the person who edits, as comments above the text. */
export function withNotes(text: string, notes: readonly string[]): string {
  return [...notes.map((note) => `# ${note}`), text].join("\n");
}

/** Takes only the notes away: the comments at the top of the text itself stay. */
export function withoutNotes(text: string, notes: readonly string[]): string {
  const comments = new Set(notes.map((note) => `# ${note}`));
  const lines = text.split("\n");
  const first = lines.findIndex((line) => !comments.has(line));
  return first < 0 ? "" : lines.slice(first).join("\n");
}
