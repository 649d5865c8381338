/**
 * Runs work in a transaction, as `transact` opens one. A dry run is the real one, rolled back: whatever would stop or refuse
 * the one stops or refuses the other, in the same words.
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
