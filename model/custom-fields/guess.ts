import { isPlainText } from "../../base/values/text.ts";
import { dateField } from "./date-field.ts";
import { multipleSelect } from "./multiple-select.ts";
import { numericField } from "./numeric-field.ts";
import { labelOf } from "./options.ts";
import { singleSelect } from "./single-select.ts";
import { textField } from "./text-field.ts";
import type { CustomFieldType, SeenColumn } from "./type.ts";

/**
 * The types that an import gives to columns, the narrowest first: everything fits a text.
 * docs/guides/import-matching.md#custom-fields
 */
const GUESSED = [dateField, numericField, singleSelect, textField];

/** An import that would add more labels to a select is refused. docs/guides/import-matching.md#custom-fields */
export const LABELS_MAX = 2_000;

/** Findings about a column while its file is read. */
export interface ColumnGuess extends SeenColumn {
  /** Takes the text of a cell that is not empty. */
  see(text: string): void;
  /** Takes notice of a cell with several values. */
  seeSeveral(): void;
  /**
   * `multipleSelect` when a cell has several values and all are labels; else the first type that all cells fit;
   * `textField` when there are none.
   */
  type(): CustomFieldType;
}

/** Begins to guess the type of a column. */
export function guessColumn(): ColumnGuess {
  let left = GUESSED;
  let hasSeveral = false;
  const column: ColumnGuess = {
    cells: 0,
    labels: new Set(),
    see(text) {
      // The row of such a cell is refused whatever the type is, so the cell does not count.
      if (!isPlainText(text)) return;
      column.cells += 1;
      if (left.some(({ guessedBy }) => !guessedBy?.fits(text)))
        left = left.filter(({ guessedBy }) => guessedBy?.fits(text));
      const label = labelOf(text);
      if (label !== undefined && column.labels.size <= LABELS_MAX) column.labels.add(label);
    },
    seeSeveral() {
      hasSeveral = true;
    },
    type() {
      // A column that fits a single select fits a multiple one too, and that has no other rule.
      if (hasSeveral)
        return left.includes(singleSelect) && column.labels.size <= LABELS_MAX ? multipleSelect : textField;
      return (column.cells > 0 && left.find(({ guessedBy }) => guessedBy?.suits?.(column) ?? true)) || textField;
    },
  };
  return column;
}
