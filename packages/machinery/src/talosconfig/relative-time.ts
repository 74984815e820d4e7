const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const month = 30 * day;
const year = 12 * month;

/** Up to which distance a text is used; `#` stands for the distance in `unit`. */
const steps: readonly (readonly [limit: number, text: string, unit: number])[] = [
  [second, "now", 1],
  [2 * second, "1 second", 1],
  [minute, "# seconds", second],
  [2 * minute, "1 minute", 1],
  [hour, "# minutes", minute],
  [2 * hour, "1 hour", 1],
  [day, "# hours", hour],
  [2 * day, "1 day", 1],
  [week, "# days", day],
  [2 * week, "1 week", 1],
  [month, "# weeks", week],
  [2 * month, "1 month", 1],
  [year, "# months", month],
  [18 * month, "1 year", 1],
  [2 * year, "2 years", 1],
  [37 * year, "# years", year],
  [Infinity, "a long while", 1],
];

/** Returns how far a moment is away, in the words of `talosctl`: `11 months from now`, `2 days ago`, `now`. */
export function relativeTime(moment: Date, now: Date): string {
  const distance = Math.abs(moment.getTime() - now.getTime());
  const [, text, unit] = steps.find(([limit]) => distance < limit) ?? [0, "a long while", 1];
  if (text === "now") return text;
  return `${text.replace("#", String(Math.floor(distance / unit)))} ${moment > now ? "from now" : "ago"}`;
}
