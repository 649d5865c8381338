import { ServiceBroker } from "moleculer";
import startRepl from "moleculer-repl";
import { openLog } from "../bus/logger.ts";
import { readEnv } from "../config/env.ts";
import { loadSecret } from "../engine/secrets/shared-secret.ts";
import { brokerOptions } from "../moleculer.config.ts";
import { openProcessDatabase } from "../tools/installation/open-database.ts";
import { type Admin, AT_ONCE, localCalls, metaOf } from "../tools/terminal/admin.ts";
import { writeOut } from "../tools/terminal/output.ts";
import { adminProgram, runCommand } from "./commands/run.ts";
import { answerLines } from "./repl-lines.ts";

// `npm run repl`: with NATS_URL a node of the cluster that has no services of its own and calls those of the others;
// without it the services run here, beside the server and on its database.

const env = readEnv();
const log = openLog(env.logLevel, process.stderr);
const local = localCalls(env, log);
const options = brokerOptions(env, { log, busSecret: env.natsUrls && (await secretOfBus()) });

/**
 * Ends with the last command so far. The next one waits for it, so that lines which are pasted together run one by one.
 */
let running: Promise<unknown> = Promise.resolve();

/**
 * The REPL is left by stopping the broker, whatever word was typed for it. The commands that were typed before are done
 * first.
 */
const leaving = {
  name: "Leaving",
  async stopping(): Promise<void> {
    await running;
    await local.close();
  },
};

const broker = new ServiceBroker({ ...options, middlewares: [...(options.middlewares ?? []), leaving] });

const admin: Admin = {
  env,
  call: env.natsUrls
    ? (action, params, author) => broker.call(action, params, { timeout: 0, meta: metaOf(author) })
    : local.call,
  print: (text) => process.stdout.write(`${text}\n`),
  write: (text) => writeOut(process.stdout, text),
  note: (text) => process.stderr.write(`${text}\n`),
  // The REPL reads typed lines itself, so a command could not get an answer.
  interactive: false,
  inRepl: true,
};

/** Only who can read the database of an installation joins its bus (bus/seal.ts). */
async function secretOfBus(): Promise<Buffer> {
  const { database, close } = await openProcessDatabase(env, AT_ONCE);
  try {
    return await loadSecret(database, "bus");
  } finally {
    await close();
  }
}

interface Typed {
  parent: { rawArgs: string[] };
  params?: unknown;
}

await broker.start();
/** Commands that are for shells, and the help of the REPL in the place of ours. */
const NOT_IN_REPL = ["help", "completion", "complete"];
const commands = adminProgram(admin).commands.filter((command) => !NOT_IN_REPL.includes(command.name()));

async function runNext(words: string[]): Promise<void> {
  running = running.then(() => runCommand(words, admin));
  await running;
}

const repl = startRepl(broker, {
  delimiter: "workspace $",
  customCommands: commands.map((command) => ({
    command: command.name(),
    description: command.description(),
    alias: null,
    options: [],
    // The words are read by the admin command line, so that options and messages are the same as there.
    allowUnknownOptions: true,
    parse: (typed: Typed) => {
      typed.params = { words: typed.parent.rawArgs.slice(2) };
    },
    action: (_broker: unknown, params: unknown) => runNext((params as { words: string[] }).words),
  })),
});
answerLines(repl, { commands: commands.map((command) => command.name()), run: runNext, note: admin.note });
