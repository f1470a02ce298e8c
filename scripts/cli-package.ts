import { packCli } from "./building/cli-package.ts";

/** Builds the npm package of the command line in the directory that the argument names. Prints its name. */
const [directory = "."] = process.argv.slice(2);
console.log(await packCli(directory));
