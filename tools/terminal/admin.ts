import { basename } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import type { Caller, CommandRun } from "../../base/contract/caller.ts";
import { LineLogger, type Log } from "../../bus/logger.ts";
import { plainAnswers } from "../../bus/plain-answers.ts";
import { JsonSchemaValidator } from "../../bus/validator.ts";
import type { Env } from "../../config/env.ts";
import { serviceFiles, serviceFolders } from "../../config/service-folders.ts";
import { WAITS } from "../../database/connection.ts";
import type { Meta, ServiceContext } from "../../mixins/context.ts";
import { openProcessDatabase, type ProcessDatabase } from "../installation/open-database.ts";

type Params = Record<string, unknown>;

/** Dependencies of commands. The command line and the REPL provide them, each in its own way. */
export interface Admin {
  env: Env;
  /**
   * Calls an action, on behalf of a user where it is about records. The call has no time-out, because a file may be
   * large.
   * @throws what the action throws
   */
  call<Result>(action: string, params: Params, author?: Caller | CommandRun): Promise<Result>;
  /** Prints the result that was asked for, as one line or several. */
  print(text: string): void;
  /**
   * Prints a part of a result that is too long for memory. Resolves to true when there is room for more, and to false
   * when the reader has gone.
   */
  write(text: string): Promise<boolean>;
  /** Prints remarks that are not part of the result: progress, warnings, errors. */
  note(text: string): void;
  /** Sets the words that are printed if the command is stopped from now on. */
  sayWhenStopped?(words: string): void;
  /** Whether a person sits at the terminal and can be asked. */
  interactive: boolean;
  /** True if commands are typed in the REPL, which reads typed lines itself, so that a command cannot ask. */
  inRepl?: boolean;
  /**
   * Asks the person and returns the answer. Unset: at the terminal (tools/terminal/ask.ts). Tests answer by themselves.
   */
  ask?(question: string): Promise<string>;
  /**
   * Input that is piped to the command. Undefined where standard input is the terminal or belongs to another program.
   */
  piped?: AsyncIterable<Buffer>;
  /**
   * Aborted when a command has to end that goes on until it is interrupted. Undefined where nothing can interrupt one.
   */
  interrupted?: AbortSignal;
}

/**
 * An error whose message is shown as it stands to the person at the command line. The exit code is 1, or 2 for wrong
 * usage.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;
  /** Further lines, when there is more than one thing to say. */
  readonly more: readonly string[];

  constructor(message: string, exitCode: 1 | 2 = 1, more: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.more = more;
  }
}

/**
 * A command makes one attempt to reach the database and does not wait for it. docs/guides/commands.md
 *
 * The command may take longer than a request to open a connection: no client waits for it.
 */
export const AT_ONCE = {
  signal: AbortSignal.abort(),
  onWait: () => undefined,
  waits: { ...WAITS, poolWaitMs: 5_000 },
};

const SERVICES_POLL_MS = 5;

/** The meta of a call of a command. */
export function metaOf(author: Caller | CommandRun | undefined): Meta {
  if (!author) return {};
  return "userId" in author ? { caller: author } : { run: author };
}

/**
 * Calls actions in this process, which works on the database of the server, and beside the server. So that commands are
 * quick, database and broker are started by the first call, and each service by the first call of one of its actions.
 */
export function localCalls(env: Env, log: Log): { call: Admin["call"]; close(): Promise<void> } {
  const loaded = new Map<string, Promise<void>>();
  // The options of the server are not used, since its bus alone takes a tenth of a second to load.
  const broker = new ServiceBroker({
    logger: new LineLogger(log),
    validator: new JsonSchemaValidator(),
    middlewares: [plainAnswers],
    metrics: false,
    tracing: false,
    internalServices: false,
    skipProcessEventRegistration: true,
  });
  let opening: Promise<ProcessDatabase> | undefined;

  async function load(service: string): Promise<void> {
    opening ??= openProcessDatabase(env, AT_ONCE);
    const { database } = await opening;
    if (!broker.started) await broker.start();
    const file = serviceFolders()
      .flatMap(serviceFiles)
      .find((path) => basename(path) === `${service}.service.ts`);
    if (!file) throw new Error(`There is no service ${service}`);
    const { default: make }: { default(context: ServiceContext): ServiceSchema } = await import(file);
    broker.createService(make({ env, database }));
    await broker.waitForServices(service, 0, SERVICES_POLL_MS);
  }

  async function call<Result>(action: string, params: Params, author?: Caller | CommandRun): Promise<Result> {
    const service = action.slice(0, action.lastIndexOf("."));
    const loading = loaded.get(service) ?? load(service);
    loaded.set(service, loading);
    await loading;
    return broker.call<Result, Params>(action, params, { timeout: 0, meta: metaOf(author) });
  }

  async function close(): Promise<void> {
    if (broker.started) await broker.stop();
    // When the database could not be opened, the command has told so already.
    const opened = await opening?.catch(() => undefined);
    await opened?.close();
  }

  return { call, close };
}
