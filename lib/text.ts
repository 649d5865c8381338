/** Whether PostgreSQL and JSON can both hold this text: no NUL, no unpaired surrogate. gaps 2, "Text". */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** Texts are compared by code point after this. gaps 2, "Text". */
export function comparable(text: string): string {
  return text.normalize("NFC");
}

/** E-mail addresses of users are compared without letter case. gaps 2, "Text". */
export function comparableEmail(email: string): string {
  return comparable(email).toLowerCase();
}
