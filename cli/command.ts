export { type Command, defineCommand, type ExitCode, type Invocation } from "./command/command";
export {
  listOf,
  type OptionSpec,
  type OptionSpecs,
  positiveNumber,
  stackOption,
  type Values,
  wholeNumber,
  wordsOf,
} from "./command/option";
