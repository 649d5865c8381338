import { isPlainText } from "../values/text.ts";
import { dateField } from "./date-field.ts";
import { numericField } from "./numeric-field.ts";
import { labelOf } from "./options.ts";
import { singleSelect } from "./single-select.ts";
import { textField } from "./text-field.ts";
import type { CustomFieldType, SeenColumn } from "./type.ts";

/** Types that a column of a file may turn out to be, the narrowest first: a text may hold everything. */
const GUESSED = [dateField, numericField, singleSelect, textField];

/** A column with more different texts has labels that nobody chooses from. */
export const LABELS_MAX = 2_000;

/** What is known of a column while its file is read. */
export interface ColumnGuess extends SeenColumn {
  /** Takes the text of a cell that is not empty. */
  see(text: string): void;
  /** The first type that all cells fit; a text where there are none. */
  type(): CustomFieldType;
}

/** Begins to guess the type of a column. */
export function guessColumn(): ColumnGuess {
  let left = GUESSED;
  const column: ColumnGuess = {
    cells: 0,
    labels: new Set(),
    see(text) {
      // Whatever the type is, the row of such a cell is refused.
      if (!isPlainText(text)) return;
      column.cells += 1;
      if (left.some(({ guessedBy }) => !guessedBy?.fits(text)))
        left = left.filter(({ guessedBy }) => guessedBy?.fits(text));
      const label = labelOf(text);
      if (label !== undefined && column.labels.size <= LABELS_MAX) column.labels.add(label);
    },
    type: () => (column.cells > 0 && left.find(({ guessedBy }) => guessedBy?.suits?.(column) ?? true)) || textField,
  };
  return column;
}
