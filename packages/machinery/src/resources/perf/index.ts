export { CPUStat, type CPUStatSpec } from "./cpu-stat.ts";
export { MemoryStat, type MemoryStatSpec } from "./memory-stat.ts";
