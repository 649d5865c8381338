import { readdirSync, readFileSync } from "node:fs";

// Read from the kernel's own counters of a process; elsewhere than on Linux there are none, and all of these are 0.

/** A clock tick of /proc, the same on every Linux that Node runs on. */
export const TICK_MS = 10;
const SAMPLE_MS = 100;

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readOfProcess(pid, "status"))?.[1];
  return Number(kb ?? 0) / 1024;
}

/** Watches the resident memory of a process. `peakMb` gives the highest since it was last asked. */
export function watchMemory(pid: number): { peakMb(): number; stop(): void } {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, residentMb(pid));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    peakMb() {
      sample();
      const highest = peak;
      peak = 0;
      return highest;
    },
    stop: () => clearInterval(timer),
  };
}

/** CPU time that a process has taken so far, its ended children included. */
export function cpuMs(pid: number): number {
  // The name of the program, in parentheses, may hold anything.
  const fields = readOfProcess(pid, "stat").split(") ")[1]?.split(" ") ?? [];
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) * TICK_MS;
}

/** CPU time of PostgreSQL so far: its first process and all that this has started. */
export function postgresCpuMs(postmaster: number): number {
  return childrenOf(postmaster).reduce((sum, pid) => sum + cpuMs(pid), cpuMs(postmaster));
}

/** The processes that this one has started, as Linux tells. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

/** A file of a process below /proc; empty when the process has ended meanwhile. */
export function readOfProcess(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function parentOf(pid: string): number {
  return Number(readOfProcess(pid, "stat").split(") ")[1]?.split(" ")[1]);
}
