import { spawn } from "node:child_process";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "..", "..", "cli", "main.mjs");

interface How {
  databaseUrl: string;
  cwd: string;
  input?: string;
}

/** Runs a command of the real command line, and gives what it said as text: exit code, standard output, standard error. */
export async function told(words: string[], { databaseUrl, cwd, input = "" }: How): Promise<string> {
  const child = spawn(process.execPath, [MAIN, "workspace", ...words], {
    env: { PATH: process.env.PATH, HOME: cwd, DATABASE_URL: databaseUrl, TZ: "UTC", npm_lifecycle_event: "test" },
    cwd,
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (data: string) => {
    said.out += data;
  });
  child.stderr.setEncoding("utf8").on("data", (data: string) => {
    said.err += data;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return [
    `$ ${words.map((word) => (/[\s"]|^$/.test(word) ? JSON.stringify(word) : word)).join(" ")} → ${code}`,
    ...lines(said.out).map((line) => `  ${line}`),
    ...lines(said.err).map((line) => `! ${line}`),
  ].join("\n");
}

const lines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** Runs several at once, and gives what they said in their order. */
export async function toldOf(commands: string[][], how: How): Promise<string[]> {
  const answers: string[] = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < commands.length; i = next++) answers[i] = await told(commands[i] ?? [], how);
  };
  await Promise.all([work(), work(), work()]);
  return answers;
}
