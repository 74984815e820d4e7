/** Names of the syslog facilities by number. */
const facilities: readonly string[] = (
  "kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp security console clock " +
  "local0 local1 local2 local3 local4 local5 local6 local7"
).split(" ");

/** Name of a syslog facility; its number where it has none. */
export const facilityName = (facility: number): string => facilities[facility] ?? String(facility);
