import { until } from "../../lab/harness/until.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { differences } from "./differences.ts";
import { type Example, readExample, type Sender } from "./example.ts";
import { type Placeholders, placeholders } from "./placeholders.ts";

/** What the examples of a guide happen to. */
export interface GuideWorld {
  /** Values of placeholders from the beginning: groupId, userId, bobId. */
  ids: Record<string, string>;
  send(sender: Sender, request: Pick<Example, "method" | "path" | "headers" | "body">): Promise<Answered>;
  /** Runs a line as a shell does, in the folder of the files of the guide. */
  run(line: string): Promise<Ran>;
  /** Runs a whole block, as a reader does who has set KEY; null when this machine has no program for its language. */
  runWhole(language: string, text: string): Promise<Ran | null>;
  write(file: string, text: string): void;
}

export interface Answered {
  status: number;
  /** Names in lower case. */
  headers: Record<string, unknown>;
  text: string;
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

const COMMAND = "npm run -s workspace -- ";
const START = "npm ci && npm start";

/** Languages and words of blocks that show something and are not executed. */
const SHOWN = new Set(["", "caddyfile", "go", "ini", "js", "json", "nginx", "python", "ruby", "sql", "text", "yaml"]);

/**
 * Runs the blocks of a guide in their order. Gives a text for each that does not do what the guide says, with its line.
 */
export async function runGuide(guide: string, world: GuideWorld): Promise<string[]> {
  const filled = placeholders(world.ids);
  const faults: string[] = [];
  let ran: Ran | undefined;
  for (const block of blocksOf(guide)) {
    try {
      ran = await runBlock(block, ran, filled, world);
    } catch (error) {
      faults.push(`${block.line}: ${(error as Error).message}`);
      ran = undefined;
    }
  }
  return faults;
}

/** Gives what a command printed, for the block behind it that shows it. */
async function runBlock(
  block: Block,
  ran: Ran | undefined,
  filled: Placeholders,
  world: GuideWorld,
): Promise<Ran | undefined> {
  const { language, words, text } = block;
  const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
  if (file !== undefined) world.write(file, filled.fill(text));
  else if (words[0] === "run") return runWhole(block, filled, world);
  else if (language === "http") await runOrAwait(readExample(block), filled, world);
  else if (language === "sh") return runCommands(block, filled, world);
  else if (language === "json" && words[0] === "output") compareJson(text, ran, filled);
  else if (language === "text" && ran) compareText(filled.fill(text), ran);
  else if (!SHOWN.has(language) || words.length > 0)
    throw new Error(`A block is no "${[language, ...words].join(" ")}".`);
  return undefined;
}

/** Runs an example, one that is awaited again and again until it does what the guide says. */
async function runOrAwait(example: Example, filled: Placeholders, world: GuideWorld): Promise<void> {
  if (!example.isAwaited) return runExample(example, filled, world);
  const runs = async () => {
    await runExample(example, filled, world);
    return true;
  };
  await until("it is answered as shown", runs).catch((error: Error) => {
    throw error.cause ?? error;
  });
}

async function runExample(example: Example, filled: Placeholders, world: GuideWorld): Promise<void> {
  const { method, sender, headers, status, answerHeaders, answer } = example;
  const path = filled.fill(example.path);
  const body = example.body === undefined ? undefined : filled.fill(example.body);
  const shown = answer === undefined ? undefined : JSON.parse(filled.fill(JSON.stringify(answer)));
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled.fill(value)]));
  // A busy server may refuse a request with 503 before it has done anything.
  const answered = await until("the request is served", async () => {
    const one = await world.send(sender, { method, path, headers: sent, body });
    return (one.status !== 503 || status === 503) && one;
  });
  const json: unknown = /json/.test(String(answered.headers["content-type"])) ? JSON.parse(answered.text) : undefined;
  filled.note(json, answered.headers.etag);
  const found = [
    ...differences(status, answered.status, "the status"),
    ...Object.entries(answerHeaders).flatMap(([name, value]) =>
      differences(value, answered.headers[name.toLowerCase()], name),
    ),
    ...(shown === undefined ? [] : differences(shown, json, "the body")),
  ];
  if (found.length === 0) return;
  const told = answered.text.slice(0, 2000);
  throw new Error(
    [`${method} ${path}`, ...found.map((difference) => `  - ${difference}`), `  answered: ${told}`].join("\n"),
  );
}

/** Where no program runs the language, what follows the block is not compared with anything. */
async function runWhole({ language, text }: Block, filled: Placeholders, world: GuideWorld): Promise<Ran | undefined> {
  const ran = await world.runWhole(language, filled.fill(text));
  if (ran === null) return undefined;
  if (ran.code !== 0) throw new Error(`The block ended with ${ran.code}: ${ran.err || ran.out}`);
  if (ran.out.startsWith("{")) filled.note(JSON.parse(ran.out));
  return ran;
}

async function runCommands({ text, words }: Block, filled: Placeholders, world: GuideWorld): Promise<Ran | undefined> {
  if (words.length > 0 && words[0] !== "fails") throw new Error(`A block is no "sh ${words.join(" ")}".`);
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n");
  let ran: Ran | undefined;
  for (const line of lines.filter((each) => each.startsWith(COMMAND) || each === START)) {
    ran = await world.run(filled.fill(line));
    const isAsTold = words[0] === "fails" ? [1, 2].includes(ran.code) : ran.code === 0;
    if (!isAsTold) throw new Error(`${line}\n  ended with ${ran.code}: ${ran.err || ran.out}`);
    if (line.includes("--json") && ran.code === 0) filled.note({ data: JSON.parse(ran.out) });
  }
  return ran;
}

function compareJson(text: string, ran: Ran | undefined, filled: Placeholders): void {
  if (!ran) throw new Error("It shows the output of a command, but the block before it has run none.");
  const found = differences(JSON.parse(filled.fill(text)), JSON.parse(ran.out), "the output");
  if (found.length > 0) throw new Error(`${found.join("\n  ")}\n  printed: ${ran.out}`);
}

/**
 * Throws when a command has printed another text. "…" stands for any text; how many blanks are between two words is no
 * matter.
 */
export function compareText(text: string, { out, err }: Ran): void {
  const printed = `${out}\n${err}`.trim();
  const parts = text.trim().split("…");
  const pattern = parts
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(/ +/g, " +"))
    .join("[^]*?");
  if (!new RegExp(`^${pattern}$`).test(printed)) throw new Error(`The command printed:\n${printed}`);
}
