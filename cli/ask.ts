import { createInterface } from "node:readline/promises";

/** Asks somebody at the terminal, on standard error, because standard output is for results. */
export async function ask(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}
