import { findOrInstall, type Program } from "../../lab/harness/apt.ts";

/**
 * Path of Debian's Chromium, installed first where that is possible; else the reason why there is none. The first call
 * may take minutes.
 */
export function chromium(): Program {
  return findOrInstall("chromium", "chromium");
}
