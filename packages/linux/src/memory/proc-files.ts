import type { MemoryFile } from "./text-files.ts";

/** A small machine with two processors and two gibibytes, as /proc shows it. */
export const procFiles: Readonly<Record<string, MemoryFile>> = {
  "/proc/cmdline": "console=ttyS0 talos.platform=metal\n",
  "/proc/cpuinfo": [0, 1]
    .map((cpu) => `processor\t: ${String(cpu)}\nmodel name\t: Memory CPU\ncpu MHz\t\t: 2000.000\ncpu cores\t: 2\n\n`)
    .join(""),
  "/proc/diskstats": " 254       0 vda 100 0 800 10 50 0 400 20 0 30 30 0 0 0 0 0 0\n",
  "/proc/loadavg": "0.10 0.20 0.30 1/100 200\n",
  "/proc/meminfo": "MemTotal:        2097152 kB\nMemFree:         1048576 kB\nMemAvailable:    1572864 kB\n",
  "/proc/net/dev":
    "Inter-|   Receive\n face |bytes\n    lo:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0          0\n",
  "/proc/stat":
    "cpu  10 0 20 300 0 0 0 0 0 0\ncpu0 5 0 10 150 0 0 0 0 0 0\ncpu1 5 0 10 150 0 0 0 0 0 0\n" +
    "intr 30 10 20\nctxt 500\nbtime 1700000000\nprocesses 200\nprocs_running 1\nprocs_blocked 0\n" +
    "softirq 55 1 2 3 4 5 6 7 8 9 10\n",
  "/proc/uptime": "1000.00 1900.00\n",
  "/proc/sys/net/ipv4/ip_forward": "0\n",
};
