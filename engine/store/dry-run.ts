/**
 * Runs work in a transaction that `transact` opens, and gives its result. A dry run is the real run, rolled back at its
 * end. So whatever refuses the one refuses the other, in the same words. docs/guides/import.md#dry-run
 */
export async function runOrTry<Inside, Result>(
  dryRun: boolean,
  transact: (work: (inside: Inside) => Promise<Result>) => Promise<Result>,
  work: (inside: Inside) => Promise<Result>,
): Promise<Result> {
  if (!dryRun) return transact(work);
  const rollback = new Error("A dry run is rolled back");
  let tried: { result: Result } | undefined;
  try {
    return await transact(async (inside) => {
      tried = { result: await work(inside) };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback || !tried) throw error;
    return tried.result;
  }
}
