import { basename } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import type { ServiceContext } from "../actions/service-context.ts";
import { LineLogger, type Log } from "../broker/logger.ts";
import { JsonSchemaValidator } from "../broker/validator.ts";
import type { Env } from "../config/env.ts";
import { serviceFiles, serviceFolders } from "../config/service-folders.ts";
import type { Caller } from "../lib/contract/caller.ts";
import { openStore, type Store } from "./open-database.ts";

/** What an action takes. */
type Params = Record<string, unknown>;

/** What commands need: the command line and the REPL provide it, each in its own way. */
export interface Admin {
  env: Env;
  /** Calls an action, on behalf of a user where it is about records. However long it takes: a file may be large. */
  call<Result>(action: string, params: Params, caller?: Caller): Promise<Result>;
  /** One line, or several, of what was asked for. */
  print(text: string): void;
  /** What is said beside that: progress, warnings. */
  note(text: string): void;
  /** Whether somebody sits in front of it and can be asked. */
  interactive: boolean;
}

/** An error whose message is for the person at the command line, as it stands. Exit code 1, or 2 for wrong usage. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Nobody waits for a database at the command line: one attempt. */
const AT_ONCE = { signal: AbortSignal.abort(), onWait: () => undefined };

const SERVICES_POLL_MS = 5;

/**
 * Calls actions in this process, on the database of the server and beside it. Database, broker and services start with the
 * first call, and of the services only the one that has the action: a command should be quick.
 */
export function localCalls(env: Env, log: Log): { call: Admin["call"]; close(): Promise<void> } {
  const loaded = new Map<string, Promise<void>>();
  // Not the options of the server: its bus alone takes a tenth of a second to load.
  const broker = new ServiceBroker({
    logger: new LineLogger(log),
    validator: new JsonSchemaValidator(),
    metrics: false,
    tracing: false,
    internalServices: false,
    skipProcessEventRegistration: true,
  });
  let opening: Promise<Store> | undefined;

  async function load(service: string): Promise<void> {
    opening ??= openStore(env, AT_ONCE);
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

  async function call<Result>(action: string, params: Params, caller?: Caller): Promise<Result> {
    const service = action.slice(0, action.lastIndexOf("."));
    const loading = loaded.get(service) ?? load(service);
    loaded.set(service, loading);
    await loading;
    return broker.call<Result, Params>(action, params, { timeout: 0, meta: caller ? { caller } : {} });
  }

  async function close(): Promise<void> {
    if (broker.started) await broker.stop();
    // What failed to open has told so already.
    const store = await opening?.catch(() => undefined);
    await store?.close();
  }

  return { call, close };
}
