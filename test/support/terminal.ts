import { spawn } from "node:child_process";
import { findOrInstall } from "../../lab/harness/apt.ts";
import { commandLine } from "../../lab/harness/command.ts";

/** What the keys send that interrupt a command, and that end what is typed. */
export const [CTRL_C, CTRL_D] = ["\u0003", "\u0004"];

/** What somebody types as soon as the screen shows a question, with "\n" where they press Enter. */
interface Typed {
  at: string;
  type: string;
}

interface Ended {
  code: number | null;
  screen: string;
}

/**
 * Runs a command of the admin command line at a real terminal, which the program `script` makes, and types the answers
 * in their order. It ends with the command: a question that never comes is not on the screen.
 * @returns the exit code, 128 and the number of the signal where one has ended it; and all that stood on the screen
 */
export function atTerminal(words: string[], variables: Record<string, string>, answers: Typed[]): Promise<Ended> {
  return typeInto(commandLine(words, variables), answers);
}

/** Starts the REPL at a real terminal, types a line at each of its prompts, and leaves it. */
export function inReplAtTerminal(lines: string[], variables: Record<string, string>): Promise<Ended> {
  const typed = [...lines, "exit"].map((line) => ({ at: "workspace $ ", type: `${line}\n` }));
  return typeInto(commandLine([], variables, { start: "repl" }), typed);
}

async function typeInto({ program, args, ...where }: ReturnType<typeof commandLine>, answers: Typed[]): Promise<Ended> {
  const script = findOrInstall("script", "bsdutils");
  if ("missing" in script) throw new Error(script.missing);
  const line = [program, ...args].map(quoted).join(" ");
  const child = spawn(script.path, ["-qec", line, "/dev/null"], { ...where, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [...answers];
  let screen = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    for (let next = waiting[0]; next && screen.includes(next.at, seen); next = waiting[0]) {
      seen = screen.indexOf(next.at, seen) + next.at.length;
      child.stdin.write(next.type);
      waiting.shift();
    }
  });
  // The command may end while something is typed.
  child.stdin.on("error", () => undefined);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, screen: screen.replaceAll("\r\n", "\n") };
}

/** A word as a shell takes it unchanged. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
