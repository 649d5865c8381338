// The policy of the page forbids making code from text, and the reference does without where it cannot. It finds out by
// trying, though, which browsers report as an error on every visit; refused here, they do not hear of it.
const refuse = () => {
  throw new EvalError("This page makes no code from text.");
};
globalThis.Function = new Proxy(globalThis.Function, { apply: refuse, construct: refuse });
