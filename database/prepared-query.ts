import type { Writable } from "node:stream";
import pg from "pg";
import { prepareValue } from "pg/lib/utils.js";

/** The parts of pg's result that follow from the columns of its rows. */
interface Columns {
  fields: unknown[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

interface Result extends Columns {
  rows: unknown[];
  _types: unknown;
  parseRow(texts: unknown[]): unknown;
}

/** pg's connection, as far as a prepared statement is sent on it. */
interface Connection {
  parsedStatements: Record<string, string | undefined>;
  stream: Writable;
  bind(message: object): void;
}

/** Members of pg's query that its types leave out. */
interface SentQuery {
  name: string;
  values: unknown;
  query_timeout: number | undefined;
  _result: Result;
  _canceledDueToError: unknown;
  prepare(connection: Connection): void;
  handleDataRow(message: { fields: unknown[] }): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/** A statement with a name. */
export interface NamedStatement {
  name: string;
  text?: string;
  values?: readonly unknown[];
  /** Rows as arrays of the texts that PostgreSQL has sent. */
  rowMode?: "array";
  types?: unknown;
  query_timeout?: number;
}

/** Callback of pg. */
export type Answered = (error: unknown, result?: unknown) => void;

const Query = pg.Query as unknown as new (text: string | undefined, values: unknown, answered: Answered) => SentQuery;

/** The messages behind the values of a statement: all of its rows are wanted, and it is the last of its kind. */
const EXECUTE_AND_SYNC = Buffer.from("45000000090000000000" + "5300000004", "hex");

/** For each connection: name of a statement → the columns of its rows. */
const known = new WeakMap<Connection, Map<string, Columns>>();

/**
 * A prepared statement that asks PostgreSQL for the columns of its rows once on a connection. They stay the same as
 * long as the name is of use (database/statement.ts). pg would ask each time, and read the same answer again.
 */
export class PreparedQuery extends Query {
  #columns: Map<string, Columns> | undefined;

  constructor({ name, text, values, types, rowMode, query_timeout }: NamedStatement, answered: Answered) {
    // pg copies whatever is no text.
    super(text, values, answered);
    this.name = name;
    this.query_timeout = query_timeout;
    this._result._types = types;
    if (rowMode === "array") this._result.parseRow = asSent;
  }

  override prepare(connection: Connection): void {
    let columns = known.get(connection);
    if (!columns) {
      columns = new Map();
      known.set(connection, columns);
    }
    const ofRows = connection.parsedStatements[this.name] === undefined ? undefined : columns.get(this.#key);
    if (!ofRows) {
      this.#columns = columns;
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, ofRows);
    connection.bind({ statement: this.name, values: this.values, valueMapper: prepareValue });
    connection.stream.write(EXECUTE_AND_SYNC);
  }

  override handleDataRow({ fields }: { fields: unknown[] }): void {
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this._result.parseRow(fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#columns?.set(this.#key, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  /** Rows of one statement may be asked for in both forms. */
  get #key(): string {
    return this._result.parseRow === asSent ? this.name : `${this.name} parsed`;
  }
}

/** A row as it was sent, in which each value is a text or null. */
function asSent(texts: unknown[]): unknown[] {
  return texts;
}
