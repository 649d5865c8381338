/** A row of a table, whatever kind of file it comes from. */
export interface TableRow {
  /** Line of the file in which the row begins. */
  line: number;
  cells: string[];
  /** Why what stands there cannot be read. It has no cells then. */
  refused?: string;
}

/** What an import reads: headings, and rows of cells under them. */
export interface Table {
  name: string;
  headings: string[];
  headingLine: number;
  /** By which its cells are divided; of other files than CSV there is none. */
  delimiter?: string;
  /** Size of the file, for progress. */
  bytes: number;
  /** All rows behind the heading, read anew each time; `onBytes` hears how far it is. */
  rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow>;
}
