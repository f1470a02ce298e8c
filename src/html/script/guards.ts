import type { AnyNode, BlockStatement, CatchClause, Program, StaticBlock } from "acorn";
import type { Budget } from "../budget.ts";
import { boundName, childrenOf, isFunction } from "./syntax.ts";

/** The code around a place in a script that decides what an error does. */
export interface Guard {
  /** Whether thrown errors are caught. */
  readonly catches: boolean;
  /** Whether rejections of promises are handled. */
  readonly handles: boolean;
  /** The functions and variables that contain the place, innermost first. */
  readonly holder: Holder | undefined;
  /** The conditions that lead to the place, innermost first. */
  readonly condition: Condition | undefined;
  /** The `try` statements before it that return or throw on an error, last first. */
  readonly trial: Trial | undefined;
}

export interface Holder {
  readonly name: string | undefined;
  /** Whether the content runs only when it is called. */
  readonly isFunction: boolean;
  readonly isAsync: boolean;
  readonly outer: Holder | undefined;
}

interface Condition {
  readonly test: AnyNode;
  readonly outer: Condition | undefined;
}

interface Trial {
  readonly block: AnyNode;
  readonly outer: Trial | undefined;
}

const UNGUARDED: Guard = {
  catches: false,
  handles: false,
  holder: undefined,
  condition: undefined,
  trial: undefined,
};

type Visit = (node: AnyNode, guard: Guard) => void;

/**
 * Visits only the nodes that contain one of the places, which are few in a large script. `places` ascend. Throws
 * `OverBudget`.
 */
export function walkTo(places: readonly number[], program: Program, visit: Visit, budget: Budget): void {
  const pending: [AnyNode, Guard][] = [[program, UNGUARDED]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, guard] = next;
    budget.spend(1);
    visit(node, guard);
    let before: Trial | undefined = guard.trial;
    for (const { key, node: child } of childrenOf(node)) {
      budget.spend(1);
      if (hasPlace(places, child)) pending.push([child, guardFor(node, key, child, { ...guard, trial: before })]);
      if (isSequence(node) && key === "body" && leavesOnError(child)) before = { block: child, outer: before };
    }
  }
}

/** Returns whether the node contains one of the places, which ascend. */
export function hasPlace(places: readonly number[], { start, end }: { start: number; end: number }): boolean {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? end) < start) low = middle + 1;
    else high = middle;
  }
  return (places[low] ?? end) < end;
}

const isSequence = (node: AnyNode): node is BlockStatement | Program | StaticBlock =>
  node.type === "BlockStatement" || node.type === "Program" || node.type === "StaticBlock";

/** Returns whether it is a `try` statement that returns or throws on an error. */
function leavesOnError(node: AnyNode): boolean {
  if (node.type !== "TryStatement") return false;
  const last = node.handler?.body.body.at(-1);
  return last?.type === "ReturnStatement" || last?.type === "ThrowStatement";
}

function guardFor(node: AnyNode, key: string, child: AnyNode, guard: Guard): Guard {
  switch (node.type) {
    case "TryStatement":
      return key === "block" && node.handler && !throwsAgain(node.handler)
        ? { ...guard, catches: true, handles: true }
        : guard;
    case "CallExpression":
      return key === "callee" && handlesRejection(node) ? { ...guard, handles: true } : guard;
    case "IfStatement":
    case "ConditionalExpression":
      return key === "consequent" ? { ...guard, condition: { test: node.test, outer: guard.condition } } : guard;
    case "LogicalExpression":
      return key === "right" && node.operator === "&&"
        ? { ...guard, condition: { test: node.left, outer: guard.condition } }
        : guard;
    default:
      return contained(node, key, child, guard);
  }
}

function contained(node: AnyNode, key: string, child: AnyNode, guard: Guard): Guard {
  const name = boundName(node, key);
  const isWithinFunction = isFunction(node);
  if (name === undefined && !isWithinFunction) return guard;
  const isAsync = [node, child].some((each) => isFunction(each) && "async" in each && each.async === true);
  // An error in a callback of a handled promise rejects that promise.
  const catches = guard.catches || (isWithinFunction && guard.handles);
  return {
    ...guard,
    catches,
    holder: { name, isFunction: isWithinFunction || isFunction(child), isAsync, outer: guard.holder },
  };
}

/** Returns whether a handler only rethrows. */
const throwsAgain = ({ body }: CatchClause): boolean => body.body.at(0)?.type === "ThrowStatement";

/** Returns whether a call is `….catch(f)` or `….then(f, g)`. */
function handlesRejection(node: AnyNode): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.computed) return false;
  const { property } = node.callee;
  const name = property.type === "Identifier" ? property.name : undefined;
  return (name === "catch" && node.arguments.length > 0) || (name === "then" && node.arguments.length > 1);
}
