import { ServiceBroker } from "moleculer";
import startRepl from "moleculer-repl";
import { openLog } from "../broker/logger.ts";
import { readEnv } from "../config/env.ts";
import { brokerOptions } from "../moleculer.config.ts";
import { type Admin, localCalls } from "./admin.ts";
import { adminProgram, runCommand } from "./commands/run.ts";

// `npm run repl`: with NATS_URL a node of the cluster that has no services of its own and calls those of the others;
// without it the services run here, beside the server and on its database.

const env = readEnv();
const log = openLog(env.logLevel, process.stderr);
const local = localCalls(env, log);
const options = brokerOptions(env, log);

/** The commands so far: lines that are pasted run one after the other. */
let running: Promise<unknown> = Promise.resolve();

/** Leaving the REPL, by whatever word, stops the broker: what was typed before is done first. */
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
    ? (action, params, caller) => broker.call(action, params, { timeout: 0, meta: caller ? { caller } : {} })
    : local.call,
  print: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  // The REPL reads what is typed; a command that asked would wait for ever.
  interactive: false,
};

interface Typed {
  parent: { rawArgs: string[] };
  params?: unknown;
}

await broker.start();
startRepl(broker, {
  delimiter: "workspace $",
  customCommands: adminProgram(admin).commands.map((command) => ({
    command: command.name(),
    description: command.description(),
    alias: null,
    options: [],
    // Our own program reads the words: the same options, the same messages.
    allowUnknownOptions: true,
    parse: (typed: Typed) => {
      typed.params = { words: typed.parent.rawArgs.slice(2) };
    },
    action: async (_broker: unknown, params: unknown) => {
      const { words } = params as { words: string[] };
      running = running.then(() => runCommand(words, admin));
      await running;
    },
  })),
});
