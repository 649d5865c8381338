import { readdirSync, readFileSync } from "node:fs";

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
