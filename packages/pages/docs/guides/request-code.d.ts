export declare const FORMS: Record<"curl" | "JavaScript" | "Python", unknown>;

export function requestCode(
  text: string,
  options: { form: keyof typeof FORMS; server: string; hasKey: boolean },
): string;
