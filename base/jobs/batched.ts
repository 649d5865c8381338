import DataLoader from "dataloader";

/** Maximum number of questions in one call. The others go with further calls. */
const BATCH_MAX = 100;

/**
 * Gives a function that answers single questions, and asks those of one turn of the event loop together. Under load a
 * statement for each question costs more than finding the answers. Nothing is remembered: an equal question is asked
 * again.
 * @param findAll gives the answers in the order of the questions; when it fails, each of them fails
 * @param gatherMs for how long questions are gathered; unless given, for one turn
 */
export function batched<Question, Found>(
  findAll: (questions: Question[]) => Promise<Found[]>,
  gatherMs?: number,
): (question: Question) => Promise<Found> {
  const loader = new DataLoader<Question, Found>((questions) => findAll([...questions]), {
    cache: false,
    maxBatchSize: BATCH_MAX,
    batchScheduleFn: (ask) => (gatherMs === undefined ? setImmediate(ask) : setTimeout(ask, gatherMs)),
  });
  return (question) => loader.load(question);
}
