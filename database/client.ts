import type { Duplex } from "node:stream";
import pg from "pg";
import { BufferReader } from "pg-protocol/dist/buffer-reader.js";
import { Parser } from "pg-protocol/dist/parser.js";
import type { Target } from "../config/database-address.ts";
import { type Answered, type NamedStatement, PreparedQuery } from "./prepared-query.ts";
import { type SessionSettings, settingsSql } from "./session.ts";
import { SQLSTATE } from "./sqlstates.ts";

/** Beginning of the error that all statements of a connection get if its messages cannot be read (errors.ts). */
export const UNREADABLE = "Connection terminated: what PostgreSQL sent cannot be read";

/** One byte of it is the state of the transaction, the other four are the length. */
const READY_FOR_QUERY_BYTES = 5;

/** Settings of a connection, and those of its session besides the ones that all sessions have. */
export interface ClientConfig extends pg.ClientConfig {
  session?: SessionSettings;
  /** Session that is wanted. Any other is refused when it has begun. */
  target?: Target;
}

/**
 * Settings that PostgreSQL tells each client, at the beginning and when they change, and why it takes no writes while
 * they are on.
 */
const TAKES_NO_WRITES: Record<string, string> = {
  in_hot_standby: "this PostgreSQL is a standby, which takes no writes",
  default_transaction_read_only: "default_transaction_read_only is on there",
};

/** Method by which pg passes on messages that arrive; its types do not list it. */
interface Reading {
  attachListeners(stream: Duplex): void;
}

/** Members of the reader of a message that pg's types leave out. */
interface Position {
  offset: number;
  buffer: Buffer;
}

/**
 * Function of PostgreSQL that sends a warning when it stops to wait for a synchronous standby, since an admin has
 * cancelled the statement. It has committed then, and the standby may not have the change.
 */
const END_OF_WAIT = "SyncRepWaitForLSN";

/** Members of pg's client and query that its types leave out. */
interface Answering {
  _getActiveQuery(): { _canceledDueToError: unknown } | null;
}

/** Message by which PostgreSQL tells the value of a setting. */
interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** pg's `query`, which takes a statement in many ways. */
type Send = (statement: unknown, ...rest: unknown[]) => unknown;

/**
 * pg's client for all connections of ours. It begins each session with our settings (session.ts), and cuts a connection
 * off when a message on it cannot be read: its statements are rejected, and others open a new one. pg itself would end
 * the process, or look for ever for the end of a text.
 */
export class Client extends pg.Client {
  /** Called when the PostgreSQL of an open connection says that it takes no writes from now on. */
  onReadOnly: () => void = () => undefined;
  readonly #begin: pg.QueryConfig & { query_timeout: number | undefined };
  readonly #target: Target;
  readonly #readOnly = new Set<string>();
  #isOpen = false;

  constructor({ session, target = "any", ...config }: ClientConfig) {
    super(config);
    const { connection } = this;
    this.#target = target;
    connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!(parameterName in TAKES_NO_WRITES)) return;
      if (parameterValue !== "on") this.#readOnly.delete(parameterName);
      else {
        this.#readOnly.add(parameterName);
        if (this.#isOpen) this.onReadOnly();
      }
    });
    this.#begin = { text: settingsSql(session), query_timeout: config.connectionTimeoutMillis };
    (connection as unknown as Reading).attachListeners = (stream) => readMessages(stream, connection);
    const send = this.query.bind(this) as Send;
    const query: Send = (statement, ...rest) => {
      const [answered] = rest;
      const prepared = isNamed(statement) && typeof answered === "function";
      return prepared ? send(new PreparedQuery(statement, answered as Answered)) : send(statement, ...rest);
    };
    Object.assign(this, { query });
    this.on("notice", (notice) => {
      if (notice.routine === END_OF_WAIT) refuseAnswer(this, notice.message);
    });
    // If an error belongs to no statement, pg passes it to all statements, and leaves the connection open.
    this.on("error", () => connection.stream.destroy());
  }

  /**
   * @throws Error also when the session is not the one that is wanted, or does not get its settings. The connection is
   *   cut off then: pg leaves one open for which there is no password, and the process would wait for its end
   */
  override async connect(): Promise<this> {
    try {
      await super.connect();
      this.#refuseOther();
      await this.query(this.#begin);
      this.#isOpen = true;
    } catch (error) {
      this.connection.stream.destroy();
      throw error;
    }
    return this;
  }

  #refuseOther(): void {
    if (this.#target === "any") return;
    const [setting] = [...this.#readOnly].filter((name) => this.#target !== "primary" || name === "in_hot_standby");
    if (setting === undefined) return;
    throw Object.assign(new Error(TAKES_NO_WRITES[setting]), { code: SQLSTATE.readOnlyTransaction });
  }
}

/** Lets the statement that is being answered fail, whatever PostgreSQL goes on to say. */
function refuseAnswer(client: pg.Client, message: string | undefined): void {
  const statement = (client as unknown as Answering)._getActiveQuery();
  const error = new pg.DatabaseError(`This commit is not confirmed: ${message}`, 0, "error");
  if (statement)
    statement._canceledDueToError = Object.assign(error, { code: SQLSTATE.completionUnknown, severity: "ERROR" });
}

function isNamed(statement: unknown): statement is NamedStatement {
  return typeof statement === "object" && statement !== null && "name" in statement && statement.name !== undefined;
}

function readMessages(stream: Duplex, connection: pg.Connection): void {
  const parser = new Parser();
  Object.assign(parser, { reader: new BoundedReader() });
  stream.on("data", (bytes: Buffer) => {
    try {
      parser.parse(bytes, (message) => {
        refuseUnlikely(message);
        connection.emit(message.name === "error" ? "errorMessage" : message.name, message);
      });
    } catch (cause) {
      stream.destroy(new Error(UNREADABLE, { cause }));
    }
  });
}

/**
 * Refuses messages that PostgreSQL does not send. Every error of it has a code; those without one are the parser's,
 * about a message of an unknown kind. And an answer that seems to end too soon would give what follows to the wrong
 * statement.
 */
function refuseUnlikely(message: { name: string; length: number; code?: string }): void {
  if (message.name === "readyForQuery" && message.length !== READY_FOR_QUERY_BYTES)
    throw new Error(`The end of an answer has ${message.length} bytes.`);
  if (message.name === "error" && message.code === undefined) throw new Error("An error has no code.");
}

class BoundedReader extends BufferReader {
  override cstring(): string {
    const text = super.cstring();
    const { offset, buffer } = this as unknown as Position;
    if (offset > buffer.length) throw new RangeError("A text has no end.");
    return text;
  }
}
