import { spawn } from "node:child_process";
import type { Ran } from "./run-guide.ts";

/**
 * Runs a program with these variables besides those of this process. It is ended as soon as it has printed what
 * `isEnough` waits for, and counts as done then.
 */
export function runProgram(
  program: string,
  words: string[],
  folder: string,
  variables: Record<string, string>,
  isEnough: (out: string) => boolean = () => false,
): Promise<Ran> {
  // In a group of its own, so that what a shell has started ends with it.
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    let out = "";
    let err = "";
    let isStopped = false;
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString();
      if (isStopped || !isEnough(out) || child.pid === undefined) return;
      isStopped = true;
      process.kill(-child.pid);
    });
    child.stderr.on("data", (data: Buffer) => {
      err += data.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: isStopped ? 0 : (code ?? -1), out: out.replaceAll("\r", ""), err }));
  });
}
