import type { Form } from "./form.ts";
import type { IsHeading } from "./headings-row.ts";

/** Kind of record that the rows of a table are. */
export type RecordKind = "people" | "companies" | "objects";

/** A row of a table, whatever kind of file it comes from. */
export interface TableRow {
  /** Line of the file in which the row begins; of a sheet the number of the row. */
  line: number;
  cells: string[];
  /** Reason why the row cannot be taken. It can be without cells then. */
  refused?: string;
}

/** Headings, and rows of cells under them. */
export interface Table {
  name: string;
  /** The kind of file. */
  form: Form;
  headings: string[];
  headingLine: number;
  /** Delimiter between the cells; absent for files other than CSV. */
  delimiter?: string;
  /** Size of the file, for progress. */
  bytes: number;
  /** Decisions of the reader that the file does not state, in whole sentences. */
  notes: string[];
  /** All rows after the headings, read again at each call; `onBytes` gets the number of bytes read so far. */
  rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow>;
  /** Lets go of the file. */
  close(): void;
}

/** Options for reading a file that the file itself does not answer. */
export interface ReadOptions {
  /** A name of `ENCODINGS`. */
  encoding?: string | undefined;
  /** One character. */
  delimiter?: string | undefined;
  /** The name of a sheet of an Excel file. */
  sheet?: string | undefined;
  /** Tells usual headings, by which the row of headings is found below others. */
  isHeading?: IsHeading | undefined;
}
