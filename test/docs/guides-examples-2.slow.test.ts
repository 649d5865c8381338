import { testExamples } from "./guides-examples.ts";

testExamples(2);
