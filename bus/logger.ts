import { Loggers } from "moleculer";

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Names of fields that are never logged, whatever they hold. */
const SECRET = /key|token|secret|password|authorization|cookie|params|body|payload|content|email|url/i;
const TEXT_LENGTH_MAX = 2000;

interface LogTarget {
  isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Gives a function that writes log lines: one JSON object per event, or readable text when the target is a terminal.
 * docs/guides/monitoring.md#logs
 * @param level the least level that is written
 */
export function openLog(level: LogLevel, target: LogTarget = process.stdout) {
  const most = LEVELS.indexOf(level);
  const format = target.isTTY ? asText : asJson;
  return (type: LogLevel, module: string, args: unknown[]): void => {
    if (LEVELS.indexOf(type) <= most) target.write(`${format(entry(type, module, args))}\n`);
  };
}

export type Log = ReturnType<typeof openLog>;

/** The logger of the broker, its services and Moleculer itself. */
export class LineLogger extends Loggers.Base<Loggers.Base.LoggerOptions> {
  readonly #log: Log;

  constructor(log: Log) {
    super({});
    this.#log = log;
  }

  override getLogHandler(bindings: { mod?: string }): Loggers.Base.LogHandler {
    // Moleculer logs each step of a start as info. Some forty lines would hide the API key that a first start prints,
    // so info counts as debug.
    return (type, args) => this.#log(type === "info" ? "debug" : type, bindings.mod ?? "", args);
  }
}

type Entry = Record<string, unknown>;

function entry(level: LogLevel, module: string, args: unknown[]): Entry {
  const words: string[] = [];
  const fields: Entry = {};
  for (const arg of args) {
    if (arg instanceof Error) fields.error = errorFields(arg);
    else if (typeof arg === "object" && arg !== null) Object.assign(fields, harmless(arg));
    else words.push(String(arg).slice(0, TEXT_LENGTH_MAX));
  }
  return { time: new Date().toISOString(), level, module, message: words.join(" "), ...fields };
}

/**
 * Fields of an error that are logged. Its `data` and `detail` are left out, because they may hold what a client sent.
 */
function errorFields(error: Error & { code?: unknown; type?: unknown }): Entry {
  const { name, message, code, type, stack } = error;
  return { name, message: message.slice(0, TEXT_LENGTH_MAX), code, type, stack: stack?.slice(0, 4 * TEXT_LENGTH_MAX) };
}

/**
 * The numbers, flags and short texts of an object, but those of secret names. What is nested in it is left out, because
 * Moleculer logs whole packets and contexts, which hold params and bodies.
 */
function harmless(fields: object): Entry {
  const kept = Object.entries(fields).filter(([name, value]) => {
    if (SECRET.test(name)) return false;
    return (
      typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value.length <= 200)
    );
  });
  return Object.fromEntries(kept);
}

function asJson(line: Entry): string {
  return JSON.stringify(line);
}

function asText({ time, level, module, message, error, ...fields }: Entry): string {
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const head = [String(time).slice(11, 23), String(level).toUpperCase().padEnd(5), module, message, ...rest].join(" ");
  return error ? `${head}\n${String((error as Entry).stack ?? (error as Entry).message)}` : head;
}
